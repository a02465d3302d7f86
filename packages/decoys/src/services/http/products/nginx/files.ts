import { USUAL_TYPES, type FileRules } from '../../protocol/file-rules.ts'

/** Of Debian's mime.types, as far as skins need it. */
export const nginxFiles: FileRules = {
  types: {
    ...USUAL_TYPES,
    js: 'application/javascript',
    xml: 'text/xml',
  },
  unknownType: 'application/octet-stream',
  // Modification time in seconds and size.
  etag: (size, modifiedAt) => `${Math.floor(modifiedAt / 1_000).toString(16)}-${size.toString(16)}`,
  // gzip_types unless it is set.
  compressed: /^text\/html$/,
  // gzip_comp_level and gzip_min_length unless they are set.
  compression: { level: 1, leastBytes: 20 },
}
