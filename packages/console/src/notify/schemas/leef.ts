// An alert as an event of the Log Event Extended Format 2.0, with a tab between attributes.
import { VERSION } from '../../version.ts'
import { eventFields, eventLines, SEVERITY_OF_TEN, type AlertFields } from '../message/fields.ts'

export function leefEvent(fields: AlertFields, messageId: string): string {
  const header = ['LEEF:2.0', 'Rookery', 'Rookery', VERSION, fields.logtype || fields.subject, 'x09']
  const attributes = [
    ['cat', fields.subject] as const,
    ['sev', SEVERITY_OF_TEN[fields.level]] as const,
    ['devTime', new Date(fields.at).toISOString()] as const,
    ['devTimeFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSX"] as const,
    ['messageId', messageId] as const,
    ...eventFields(fields, 'leef'),
    ['eventName', fields.name] as const,
    ['msg', eventLines(fields).join('; ')] as const,
  ]
  return `${header.map(oneField).join('|')}|${attributes.map(([name, value]) => `${name}=${oneField(String(value))}`).join('\t')}`
}

/** Neither a tab nor a line break, nor the mark between fields of the header, stands in a value. */
const oneField = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\u00a6')
