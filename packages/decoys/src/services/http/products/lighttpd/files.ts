import { USUAL_TYPES, type FileRules } from '../../protocol/file-rules.ts'

/** Of Debian's mime.types, as far as skins need it. */
export const lighttpdFiles: FileRules = {
  types: {
    ...USUAL_TYPES,
    css: 'text/css;charset=utf-8',
    js: 'text/javascript',
    txt: 'text/plain;charset=utf-8',
    ico: 'image/vnd.microsoft.icon',
    xml: 'application/xml;charset=utf-8',
    csv: 'text/csv;charset=utf-8',
    ttf: 'font/ttf',
  },
  unknownType: 'application/octet-stream',
  etag,
  // Debian does not load mod_deflate.
  compressed: /^$/,
}

/** A hash over size, modification time in seconds, and its nanoseconds: 64 bits each, little-endian. */
function etag(size: number, modifiedAt: number): string {
  const bytes = Buffer.alloc(24)
  bytes.writeBigUInt64LE(BigInt(size), 0)
  bytes.writeBigUInt64LE(BigInt(Math.floor(modifiedAt / 1_000)), 8)
  bytes.writeBigUInt64LE(BigInt(modifiedAt % 1_000) * 1_000_000n, 16)
  let hash = bytes.length
  for (const byte of bytes) hash = (hash << 5) ^ (hash >>> 27) ^ byte
  return String(hash >>> 0)
}
