import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'
import { WORD_FORMATS } from '../../office/formats.ts'

export const descriptor = describeKind({
  kind: 'doc-wordproc',
  name: 'Word document',
  shelf: 'Documents',
  keywords: ['word', 'docx', 'document', 'office', 'file', 'share', 'libreoffice', 'text'],
  firedBy: 'The document is opened: Word or LibreOffice fetches a picture that it links to.',
  silencedBy:
    'It stays silent in the Protected View of Word until editing is enabled, in previews, in Google Docs, on phones, and where the network cannot reach the token host.',
  placement: [
    'Put it on a file share, next to documents of the kind that its name promises.',
    'Leave it in the folder of an administrator, in a mailbox or in a backup.',
    'Give it a name that only an intruder would open, such as "VPN access.docx".',
  ],
  logtype: '17004',
  keys: REQUEST_KEYS,
  evidence: ['useragent', 'method'],
  meaning: 'Somebody opened the document. The source address is where its picture was fetched from.',
  next: [
    'Find out who used the source address at that time. The user agent names the program that opened the document.',
    'Treat the place that the memo names as read by an intruder, and look at what else was opened there.',
    'If the address is that of a mail gateway or a scanner of yours, it opened the document to check it.',
  ],
  showsPicture: true,
  downloads: true,
  example: {
    needs: ['soffice'],
    touch: 'download report.docx && soffice --headless --convert-to pdf report.docx',
  },
  settings: {
    doc: {
      type: 'file',
      description: 'The document to plant, as it is; without it one of our own is made',
      maxBytes: 10 * 1024 * 1024,
      formats: WORD_FORMATS,
    },
  },
})
