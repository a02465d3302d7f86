import type { FileRules } from '../file-rules.ts'

/** Of Debian's mime.types, as far as skins need it. */
export const nginxFiles: FileRules = {
  types: {
    html: 'text/html',
    css: 'text/css',
    js: 'application/javascript',
    txt: 'text/plain',
    ico: 'image/x-icon',
    png: 'image/png',
    svg: 'image/svg+xml',
    htm: 'text/html',
    json: 'application/json',
    xml: 'text/xml',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    pdf: 'application/pdf',
    zip: 'application/zip',
    woff: 'font/woff',
    woff2: 'font/woff2',
    mp4: 'video/mp4',
    mp3: 'audio/mpeg',
  },
  unknownType: 'application/octet-stream',
  // Modification time in seconds and size.
  etag: (size, modifiedAt) => `${Math.floor(modifiedAt / 1_000).toString(16)}-${size.toString(16)}`,
  // gzip_types unless it is set.
  compressed: /^text\/html$/,
  // gzip_comp_level and gzip_min_length unless they are set.
  compression: { level: 1, leastBytes: 20 },
}
