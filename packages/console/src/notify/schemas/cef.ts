// An alert as an event of the Common Event Format, version 0 (ArcSight, revision 26).
import { VERSION } from '../../version.ts'
import { eventFields, eventLines, SEVERITY_OF_TEN, type AlertFields } from '../message/fields.ts'

const HEADER = new Set(['deviceEventClassId'])

export function cefEvent(fields: AlertFields, messageId: string): string {
  const header = [
    'CEF:0',
    'Rookery',
    'Rookery',
    VERSION,
    fields.logtype || fields.subject,
    fields.name,
    String(SEVERITY_OF_TEN[fields.level]),
  ]
  const extension = [
    ['rt', fields.at] as const,
    ['cat', fields.subject] as const,
    ['deviceEventUuid', messageId] as const,
    ...eventFields(fields, 'cef')
      .filter(([name]) => !HEADER.has(name))
      .flatMap(([name, value, title]) => [
        ...(/^cs\d$/.test(name) ? [[`${name}Label`, title] as const] : []),
        [name, value] as const,
      ]),
    ['msg', eventLines(fields).join('\n')] as const,
  ]
  return `${header.map(headerText).join('|')}|${extension.map(([name, value]) => `${name}=${extensionText(String(value))}`).join(' ')}`
}

const headerText = (text: string): string => text.replace(/[\\|]/g, '\\$&').replace(/\s+/g, ' ')

const extensionText = (text: string): string => text.replace(/[\\=]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')
