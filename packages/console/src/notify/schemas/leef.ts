// An alert as an event of the Log Event Extended Format 2.0, with a tab between attributes.
import { isIP } from 'node:net'
import { VERSION } from '../../version.ts'
import { namedFields, type AlertFields } from '../message/fields.ts'

/** 1 to 10. */
const SEVERITY = { used: 10, tried: 7, looked: 4, house: 2 } as const

export function leefEvent(fields: AlertFields, messageId: string): string {
  const header = ['LEEF:2.0', 'Rookery', 'Rookery', VERSION, fields.logtype || fields.subject, 'x09']
  const attributes = [
    ['cat', fields.subject] as const,
    ['sev', SEVERITY[fields.level]] as const,
    ['devTime', new Date(fields.at).toISOString()] as const,
    ['devTimeFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSX"] as const,
    ['messageId', messageId] as const,
    ...namedFields(fields, 'leef').filter(
      ([name, value]) => (name !== 'src' && name !== 'dst') || isIP(String(value)) !== 0,
    ),
    ['eventName', fields.name] as const,
    [
      'msg',
      [fields.text, ...fields.details.map(([label, value]) => `${label}: ${value}`)].join('; '),
    ] as const,
  ]
  return `${header.map(oneField).join('|')}|${attributes.map(([name, value]) => `${name}=${oneField(String(value))}`).join('\t')}`
}

/** Neither a tab nor a line break, nor the mark between fields of the header, stands in a value. */
const oneField = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\u00a6')
