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
  },
  // Size and modification time in microseconds, as Apache's FileETag.
  etag: (size, modifiedAt) => `${size.toString(16)}-${(modifiedAt * 1000).toString(16)}`,
  // Types that Debian's mod_deflate compresses.
  compressed: /^text\/(html|css|javascript)$/,
}
