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
  },
  // Modification time in seconds and size.
  etag: (size, modifiedAt) => `${Math.floor(modifiedAt / 1_000).toString(16)}-${size.toString(16)}`,
  // gzip_types unless it is set.
  compressed: /^text\/html$/,
}
