import { REQUEST_KEYS } from '../../channels/http/request-fields.ts'
import { describeKind } from '../../descriptor.ts'
import { EXCEL_FORMATS } from '../../office/formats.ts'

export const descriptor = describeKind({
  kind: 'doc-spreadsheet',
  name: 'Excel workbook',
  shelf: 'Documents',
  keywords: ['excel', 'xlsx', 'workbook', 'spreadsheet', 'table', 'office', 'passwords', 'libreoffice'],
  firedBy: 'The workbook is opened: Excel or LibreOffice fetches a picture that it links to.',
  silencedBy:
    'It stays silent in the Protected View of Excel until editing is enabled, in previews, in Google Sheets, on phones, and where the network cannot reach the token host.',
  placement: [
    'Put it on a file share of administrators: it looks like a list of accounts.',
    'Leave it in the downloads folder of a machine, in a mailbox or in a backup.',
    'Give it a name that only an intruder would open, such as "Passwords.xlsx".',
  ],
  logtype: '17023',
  keys: REQUEST_KEYS,
  evidence: ['useragent', 'method'],
  meaning: 'Somebody opened the workbook. The source address is where its picture was fetched from.',
  next: [
    'Find out who used the source address at that time. The user agent names the program that opened the workbook.',
    'Treat the place that the memo names as read by an intruder, and look at what else was opened there.',
    'The accounts in the workbook are made up; a login attempt with one of them comes from its reader.',
  ],
  showsPicture: true,
  downloads: true,
  example: {
    needs: ['soffice'],
    touch: 'download prices.xlsx && soffice --headless --convert-to pdf prices.xlsx',
  },
  settings: {
    doc: {
      type: 'file',
      description: 'The document to plant, as it is; without it one of our own is made',
      maxBytes: 10 * 1024 * 1024,
      formats: EXCEL_FORMATS,
    },
  },
})
