import { LOOK_UP_KEYS } from '../../channels/dns/look-up-fields.ts'
import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'pdf-reader',
  name: 'PDF document',
  shelf: 'Documents',
  keywords: ['pdf', 'acrobat', 'adobe', 'reader', 'document', 'file', 'share'],
  firedBy:
    'Acrobat or Acrobat Reader shows the first page: it looks up the host of an address in the document.',
  silencedBy:
    'It stays silent in every other program, browsers among them, and where the zone of token names is not delegated to the console.',
  placement: [
    'Put it on a file share, next to documents of the kind that its name promises.',
    'Leave it in the folder of an administrator, in a mailbox or in a backup.',
    'Plant it where people read PDFs with Acrobat; a Word document is seen by more programs.',
  ],
  logtype: '16008',
  keys: [...LOOK_UP_KEYS, ...REQUEST_KEYS],
  evidence: ['qname', 'client_subnet'],
  meaning:
    'Somebody opened the document with Acrobat. The source address is the resolver that asked for them.',
  next: [
    'Ask the resolver at the source address, or its log, which machine looked the name up at that time.',
    'Treat the place that the memo names as read by an intruder, and look at what else was opened there.',
    'If the resolver is that of a mail gateway or a scanner of yours, it opened the document to check it.',
  ],
  downloads: true,
  example: {
    needs: ['dig'],
    touch: 'dig @127.0.0.1 -p {dns} +short A "$(field renders.hostname)"',
  },
  settings: {
    pdf: {
      type: 'file',
      description: 'The document to plant, as it is; without it one of our own is made',
      maxBytes: 10 * 1024 * 1024,
      formats: ['pdf'],
    },
  },
})
