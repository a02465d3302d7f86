import type { FileRules } from '../../protocol/file-rules.ts'

/** It has no validators: its pages are made as they are asked for. */
export const printerFiles: FileRules = {
  types: {
    html: 'text/html',
    htm: 'text/html',
    css: 'text/css',
    js: 'application/x-javascript',
    txt: 'text/plain',
    gif: 'image/gif',
    png: 'image/png',
    jpg: 'image/jpeg',
    ico: 'image/x-icon',
    svg: 'image/svg+xml',
  },
  unknownType: 'application/octet-stream',
  etag: () => '',
  compressed: /^$/,
}
