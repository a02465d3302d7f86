import type { FileRules } from '../file-rules.ts'

export const apacheFiles: FileRules = {
  types: {
    html: 'text/html',
    css: 'text/css',
    js: 'text/javascript',
    txt: 'text/plain',
    ico: 'image/vnd.microsoft.icon',
    png: 'image/png',
    svg: 'image/svg+xml',
    htm: 'text/html',
    json: 'application/json',
    xml: 'application/xml',
    csv: 'text/csv',
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
    gz: 'application/x-gzip',
    bak: 'application/x-trash',
    old: 'application/x-trash',
  },
  unknownType: '',
  // Size and modification time in microseconds, as Apache's FileETag.
  etag: (size, modifiedAt) => `${size.toString(16)}-${(modifiedAt * 1000).toString(16)}`,
  // Types that Debian's mod_deflate compresses.
  compressed: /^text\/(html|css|javascript)$/,
  compression: { level: 6, leastBytes: 1 },
}
