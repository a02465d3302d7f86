import type { FileRules } from '../file-rules.ts'

/** Of Debian's mime.types, as far as skins need it. */
export const lighttpdFiles: FileRules = {
  types: {
    html: 'text/html',
    css: 'text/css;charset=utf-8',
    js: 'text/javascript',
    txt: 'text/plain;charset=utf-8',
    ico: 'image/vnd.microsoft.icon',
    png: 'image/png',
    svg: 'image/svg+xml',
    htm: 'text/html',
    json: 'application/json',
    xml: 'application/xml;charset=utf-8',
    csv: 'text/csv;charset=utf-8',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    pdf: 'application/pdf',
    zip: 'application/zip',
    woff: 'font/woff',
    woff2: 'font/woff2',
    ttf: 'font/ttf',
    mp4: 'video/mp4',
    mp3: 'audio/mpeg',
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
