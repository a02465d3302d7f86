import { USUAL_TYPES, type FileRules } from '../../protocol/file-rules.ts'

export const apacheFiles: FileRules = {
  types: {
    ...USUAL_TYPES,
    js: 'text/javascript',
    ico: 'image/vnd.microsoft.icon',
    xml: 'application/xml',
    csv: 'text/csv',
    ttf: 'font/ttf',
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
