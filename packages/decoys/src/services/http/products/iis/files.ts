import type { FileRules } from '../../protocol/file-rules.ts'

/** FILETIME begins in 1601 and counts units of 100 ns ([MS-DTYP] 2.3.3). */
const FILETIME_EPOCH_MS = 11_644_473_600_000n
const UNITS_PER_MS = 10_000n

export const iisFiles: FileRules = {
  // The MIME map of IIS 10, as far as skins and webroots need it. A name with another ending is not found (404.3).
  types: {
    html: 'text/html',
    htm: 'text/html',
    css: 'text/css',
    js: 'application/javascript',
    json: 'application/json',
    xml: 'text/xml',
    txt: 'text/plain',
    csv: 'application/octet-stream',
    ico: 'image/x-icon',
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    svg: 'image/svg+xml',
    pdf: 'application/pdf',
    zip: 'application/x-zip-compressed',
    woff: 'font/x-woff',
    woff2: 'application/font-woff2',
    ttf: 'application/octet-stream',
    mp4: 'video/mp4',
    mp3: 'audio/mpeg',
  },
  unknownType: undefined,
  etag,
  // Static compression begins at 2,700 bytes, for files that are asked for often: not acted out.
  compressed: /^$/,
}

/** The bytes of the FILETIME, lowest first, each in hexadecimal without a leading zero; then the change number. */
function etag(_size: number, modifiedAt: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE((BigInt(Math.floor(modifiedAt)) + FILETIME_EPOCH_MS) * UNITS_PER_MS)
  return `${[...bytes].map((byte) => byte.toString(16)).join('')}:0`
}
