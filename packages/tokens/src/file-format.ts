// What a file is, by its bytes: its name and the content type that a caller gives prove nothing.
import { imageSize } from './image-size.ts'
import { OFFICE_FORMATS, type OfficeFormatName } from './office/formats.ts'

export type FileFormat = keyof typeof FORMATS

interface Facts {
  readonly contentType: string
  readonly begins: (bytes: Uint8Array) => boolean
}

const SVG = 'image/svg+xml'
/** Readers accept a PDF header that starts within the first 1,024 bytes (ISO 32000-1, annex H, note 13). */
const PDF_HEADER_WITHIN = 1_024

const startsWith =
  (signature: string, at = 0) =>
  (bytes: Uint8Array): boolean =>
    latin1(bytes.subarray(at, at + signature.length)) === signature

/** What tells them apart lies inside the archive: the kind that plants one looks there. */
const officeFormats = Object.fromEntries(
  Object.entries(OFFICE_FORMATS).map(([name, { file }]) => [
    name,
    { contentType: file, begins: startsWith('PK\x03\x04') },
  ]),
) as Record<OfficeFormatName, Facts>

const FORMATS = {
  png: { contentType: 'image/png', begins: startsWith('\x89PNG\r\n\x1a\n') },
  jpeg: { contentType: 'image/jpeg', begins: startsWith('\xff\xd8\xff') },
  gif: {
    contentType: 'image/gif',
    begins: (bytes) => startsWith('GIF87a')(bytes) || startsWith('GIF89a')(bytes),
  },
  webp: {
    contentType: 'image/webp',
    begins: (bytes) => startsWith('RIFF')(bytes) && startsWith('WEBPVP8', 8)(bytes),
  },
  /** Other programs say the same of icons as of cursors, whose third byte is 2. */
  ico: { contentType: 'image/x-icon', begins: startsWith('\0\0\x01\0') },
  svg: { contentType: SVG, begins: beginsSvg },
  ...officeFormats,
  pdf: {
    contentType: 'application/pdf',
    begins: (bytes) => latin1(bytes.subarray(0, PDF_HEADER_WITHIN)).includes('%PDF-'),
  },
  pe: { contentType: 'application/vnd.microsoft.portable-executable', begins: startsWith('MZ') },
} as const satisfies Readonly<Record<string, Facts>>

/** The content type of the format that the bytes have, or what they should have been: `must be …`. */
export function contentTypeOf(
  bytes: Uint8Array,
  formats: readonly FileFormat[],
): { readonly contentType: string } | { readonly reason: string } {
  const format = formats.find((it) => FORMATS[it].begins(bytes))
  if (format === undefined)
    return {
      reason: `must be a file of the format ${formats.join(', ')}, not one that begins with ${beginningOf(bytes)}${remedyOf(formats)}`,
    }
  const { contentType } = FORMATS[format]
  // An SVG is drawn in any size.
  if (!contentType.startsWith('image/') || contentType === SVG) return { contentType }
  const size = imageSize(bytes)
  if (size === undefined) return { reason: `must be a whole picture, not the beginning of a ${format}` }
  const { width, height } = size
  const isDrawable = Math.min(width, height) > 0 && Math.max(width, height) <= MAX_PIXELS
  return isDrawable
    ? { contentType }
    : {
        reason: `must be a picture of 1 to ${MAX_PIXELS} pixels in width and height, not ${width} × ${height}`,
      }
}

/** An older format, one of another program, or one with a password, which lies in a container of that older format. */
const remedyOf = ([format]: readonly FileFormat[]): string =>
  format !== undefined && Object.hasOwn(OFFICE_FORMATS, format)
    ? `: save it as ${format} with Word, Excel or LibreOffice, and without a password`
    : ''

/** What may stand in front of the root element, and how each ends; a document type has an end of its own. */
const PROLOGUE = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const

/** Whether the root element is one of SVG; everything in front of it is passed by once. */
function beginsSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder(isUtf16(bytes) ?? 'utf-8').decode(bytes)
  for (let at = 0; ;) {
    at += text.slice(at).search(/\S|$/)
    const skipped = PROLOGUE.find(([begin]) => text.startsWith(begin, at))
    const end = skipped
      ? text.indexOf(skipped[1], at)
      : text.startsWith('<!', at)
        ? endOfDoctype(text, at)
        : at
    if (end === at) return /^<(?:[\w.-]+:)?svg[\s/>]/.test(text.slice(at, at + 64))
    if (end < 0) return false
    at = end + (skipped?.[1].length ?? 1)
  }
}

/** Declarations may stand inside it, in brackets. */
function endOfDoctype(text: string, at: number): number {
  const end = text.indexOf('>', at)
  const bracket = text.indexOf('[', at)
  if (bracket < 0 || bracket > end) return end
  const closing = text.indexOf(']', bracket)
  return closing < 0 ? -1 : text.indexOf('>', closing)
}

const isUtf16 = ([first, second]: Uint8Array): string | undefined =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined

const SHOWN_BYTES = 8

/** As a text, with a dot for each byte that none shows. */
const beginningOf = (bytes: Uint8Array): string =>
  JSON.stringify(latin1(bytes.subarray(0, SHOWN_BYTES)).replace(/[^\x20-\x7e]/g, '.'))

/** A larger one is made to fill the memory of the program that draws it. */
const MAX_PIXELS = 16_384

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
