// An alert as an event of the Common Event Format, version 0 (ArcSight, revision 26).
import { isIP } from 'node:net'
import { VERSION } from '../../version.ts'
import { namedFields, type AlertFields } from '../message/fields.ts'

/** 0 to 10. */
const SEVERITY = { used: 10, tried: 7, looked: 4, house: 2 } as const
const HEADER = new Set(['deviceEventClassId'])

export function cefEvent(fields: AlertFields, messageId: string): string {
  const header = [
    'CEF:0',
    'Rookery',
    'Rookery',
    VERSION,
    fields.logtype || fields.subject,
    fields.name,
    String(SEVERITY[fields.level]),
  ]
  const extension = [
    ['rt', fields.at] as const,
    ['cat', fields.subject] as const,
    ['deviceEventUuid', messageId] as const,
    ...namedFields(fields, 'cef')
      .filter(
        ([name, value]) =>
          !HEADER.has(name) && ((name !== 'src' && name !== 'dst') || isIP(String(value)) !== 0),
      )
      .flatMap(([name, value, title]) => [
        ...(/^cs\d$/.test(name) ? [[`${name}Label`, title] as const] : []),
        [name, value] as const,
      ]),
    [
      'msg',
      [fields.text, ...fields.details.map(([label, value]) => `${label}: ${value}`)].join('\n'),
    ] as const,
  ]
  return `${header.map(headerText).join('|')}|${extension.map(([name, value]) => `${name}=${extensionText(String(value))}`).join(' ')}`
}

const headerText = (text: string): string => text.replace(/[\\|]/g, '\\$&').replace(/\s+/g, ' ')

const extensionText = (text: string): string => text.replace(/[\\=]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')
