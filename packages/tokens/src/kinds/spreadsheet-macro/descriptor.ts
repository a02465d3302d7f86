import { LOOK_UP_KEYS } from '../../channels/dns/look-up-fields.ts'
import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'
import { EXCEL_FORMATS } from '../../office/formats.ts'

export const descriptor = describeKind({
  kind: 'spreadsheet-macro',
  name: 'Excel workbook with macros',
  shelf: 'Documents',
  keywords: ['excel', 'xlsm', 'macro', 'vba', 'workbook', 'spreadsheet', 'office', 'libreoffice'],
  firedBy:
    'The workbook is opened with its macros enabled: it reports user, computer and domain by HTTP, or else by a look-up.',
  silencedBy:
    'It stays silent until macros are enabled. Office blocks those of files from the internet since 2022, and many companies block all of them.',
  placement: [
    'Put it on a file share of your own network, whose files Office trusts more than those of mails.',
    'Leave it where a workbook with macros is nothing unusual, such as a folder of controlling.',
    'Where macros are blocked, plant a workbook without them: it fires as well, and says less.',
  ],
  logtype: '16010',
  keys: ['user', 'computer', 'domain', 'app', ...REQUEST_KEYS, ...LOOK_UP_KEYS],
  evidence: ['user', 'computer', 'domain', 'useragent'],
  meaning:
    'Somebody opened the workbook and let its macros run, as the user and on the computer that the event names.',
  next: [
    'Ask the user what they looked for, or isolate the computer if it was not them.',
    'Treat the place that the memo names as read by an intruder, and look at what else was opened there.',
    'If the computer is none of yours, the file was taken out of the network, or a sandbox ran it.',
  ],
  downloads: true,
  lookUpCharacters: 57,
  example: { touch: 'curl -s -o /dev/null "$(field url)?user=alice&computer=PC-17"' },
  settings: {
    doc: {
      type: 'file',
      description: 'The document to plant, as it is; without it one of our own is made',
      maxBytes: 10 * 1024 * 1024,
      formats: EXCEL_FORMATS,
    },
  },
})
