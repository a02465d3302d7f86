// What a file is, by its bytes: its name and the content type that a caller gives prove nothing.
import { imageSize } from './image-size.ts'
import { OFFICE_FORMATS, type OfficeFormatName } from './office/formats.ts'

export type FileFormat = keyof typeof FORMATS

interface Facts {
  readonly contentType: string
  readonly begins: (bytes: Uint8Array) => boolean
}

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
  if (!contentType.startsWith('image/')) return { contentType }
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

const SHOWN_BYTES = 8

/** As a text, with a dot for each byte that none shows. */
const beginningOf = (bytes: Uint8Array): string =>
  JSON.stringify(latin1(bytes.subarray(0, SHOWN_BYTES)).replace(/[^\x20-\x7e]/g, '.'))

/** A larger one is made to fill the memory of the program that draws it. */
const MAX_PIXELS = 16_384

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes)
