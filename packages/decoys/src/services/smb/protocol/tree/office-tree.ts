// The share of a small office, for a Bird whose settings name no files: which folders and files there are is drawn for it.
import { byWord } from '@rookery/kernel/by-word.ts'
import { draw, type Derive, type Draw } from '../../../../machine/draw.ts'
import type { NodeSetting } from './node-setting.ts'

const FOLDERS = byWord<readonly string[]>({
  Accounting: [
    'Budget {y}.xlsx',
    'Open items {m} {y}.xlsx',
    'Invoices {y} Q{q}.zip',
    'Annual report {y}.pdf',
    'Cash flow {y}.xlsx',
    'Auditor requests {y}.docx',
    'Travel expenses {m}.xlsx',
  ],
  'Human Resources': [
    'Staff list {y}.xlsx',
    'Onboarding checklist.docx',
    'Salary bands {y}.xlsx',
    'Holiday plan {y}.xlsx',
    'Employment contract template.docx',
    'Interview notes {m} {y}.docx',
  ],
  IT: [
    'Network plan.pdf',
    'Server inventory {y}.xlsx',
    'Backup log.log',
    'Password policy.docx',
    'VPN setup.pdf',
    'install printers.bat',
    'Licences {y}.xlsx',
    'firewall-rules.csv',
  ],
  Sales: [
    'Customers {y}.xlsx',
    'Price list {y}.pdf',
    'Offer {n}.docx',
    'Offer {n}.pdf',
    'Forecast Q{q} {y}.xlsx',
    'Contacts.csv',
  ],
  Projects: [
    'Minutes {m} {y}.docx',
    'Schedule {y}.xlsx',
    'Specification v{q}.docx',
    'Handover.pdf',
    'notes.txt',
  ],
  Management: ['Board minutes {m} {y}.docx', 'Strategy {y}.pdf', 'Investors {y}.xlsx', 'Reorganisation.docx'],
})
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** Nothing is newer than June of this year. */
const NEWEST_YEAR = 2026

export function officeTree(derive: Derive): readonly NodeSetting[] {
  const from = draw(derive, 'smb/office')
  const folders = chosen(Object.keys(FOLDERS), from.between(4, 6), from)
  return [
    ...folders.map((name) => ({
      name,
      type: 'directory' as const,
      children: filesOf(FOLDERS[name] ?? [], from),
    })),
    { name: 'Phone list.xlsx', type: 'file' },
    { name: 'readme.txt', type: 'file' },
  ]
}

function filesOf(templates: readonly string[], from: Draw): readonly NodeSetting[] {
  const names = chosen(templates, from.between(Math.ceil(templates.length / 2), templates.length), from)
  const files = names.map((template) => fileOf(template, from, from.between(NEWEST_YEAR - 1, NEWEST_YEAR)))
  const older = names.slice(0, 3).map((template) => fileOf(template, from, NEWEST_YEAR - 2))
  return from.between(0, 2) > 0 ? [...files, { name: 'Archive', type: 'directory', children: older }] : files
}

/** A file of that year: its name, and a day on which it was written. */
function fileOf(template: string, { between }: Draw, year: number): NodeSetting {
  const month = between(1, year === NEWEST_YEAR ? 6 : 12)
  const name = template
    .replace('{y}', String(year))
    .replace('{m}', MONTHS[month - 1] ?? '')
    .replace('{q}', String(Math.ceil(month / 3)))
    .replace('{n}', String(between(10_000, 99_999)))
  const two = (number: number): string => String(number).padStart(2, '0')
  const time = [between(7, 18), between(0, 59), between(0, 59)].map(two).join(':')
  return { name, type: 'file', modified: `${year}-${two(month)}-${two(between(1, 28))}T${time}Z` }
}

/** So many of them, in the same order. */
function chosen<T>(choices: readonly T[], count: number, { between }: Draw): T[] {
  const left = [...choices]
  while (left.length > count) left.splice(between(0, left.length - 1), 1)
  return left
}
