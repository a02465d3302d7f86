// How a server describes a file.
export interface FileRules {
  /** By the ending of the name, in lower case. */
  readonly types: Readonly<Record<string, string>>
  /** Of all other names; empty: the answer names none; undefined: such files are not found. */
  readonly unknownType: string | undefined
  /** The ETag without quotes. */
  readonly etag: (size: number, modifiedAt: number) => string
  /** Types that it compresses; how, is recorded. */
  readonly compressed: RegExp
  /** How well, for files that nobody has recorded, and from which size on. */
  readonly compression?: { readonly level: number; readonly leastBytes: number }
}

/** The type of a name with an ending that the server knows. */
export const typeOfName = ({ types }: FileRules, name: string): string | undefined =>
  name.includes('.') ? types[name.split('.').at(-1)!.toLowerCase()] : undefined

/** What most servers say alike of a name with such an ending. */
export const USUAL_TYPES: FileRules['types'] = {
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  txt: 'text/plain',
  ico: 'image/x-icon',
  png: 'image/png',
  svg: 'image/svg+xml',
  json: 'application/json',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  zip: 'application/zip',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  woff: 'font/woff',
  woff2: 'font/woff2',
}
