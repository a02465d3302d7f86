// An alert as one message of syslog (RFC 5424), whatever an intruder wrote.
import { VERSION } from '../../../version.ts'
import { fieldsOf, namedFields, type AlertFields } from '../../message/fields.ts'
import { fitted } from '../../message/fitted.ts'
import type { Message } from '../../message/message.ts'
import { cefEvent } from '../../schemas/cef.ts'
import { ecsDocument } from '../../schemas/ecs.ts'
import { leefEvent } from '../../schemas/leef.ts'
import { ocsfFinding } from '../../schemas/ocsf.ts'

export const FORMATS = ['plain', 'cef', 'leef', 'ecs', 'ocsf'] as const
export type Format = (typeof FORMATS)[number]

/** Facility local0 (16); severities of RFC 5424, 6.2.1: critical, warning, notice, informational. */
const FACILITY = 16
const SEVERITY = { used: 2, tried: 4, looked: 5, house: 6 } as const
/** Of a whole message: what receivers must at least take (RFC 5425, 4.3.1, recommends it). */
const MAX_BYTES = 8_192
const NONE = '-'
const BOM = '\ufeff'
/** RFC 5612 keeps this number for documentation: no enterprise has it, so no SD-ID of another can be the same. */
const OWN = 'rookery@32473'

interface LineOptions {
  readonly format: Format
  readonly passwords: boolean
}

/** The bytes of one message, without a frame; one that is too long loses details first, then the ends of its texts. */
export function syslogMessage(
  message: Message,
  messageId: string,
  { format, passwords }: LineOptions,
): Buffer {
  const all = fieldsOf(message, messageId, passwords)
  const host = message.consoleUrl === '' ? NONE : headerText(new URL(message.consoleUrl).hostname, 255)
  for (const room of ROOMS) {
    const bytes = rendered(fitted(all, room), messageId, format, host)
    if (bytes.length <= MAX_BYTES) return bytes
  }
  throw new Error(`An alert cut to the least room is longer than ${MAX_BYTES} bytes.`)
}

/** How many details there are, and characters in a text: the first with which the message is short enough. */
const ROOMS = [
  { details: 50, text: 1_000 },
  { details: 20, text: 250 },
  { details: 0, text: 250 },
  { details: 0, text: 60 },
  { details: 0, text: 20 },
] as const

function rendered(fields: AlertFields, messageId: string, format: Format, host: string): Buffer {
  const header = [
    `<${FACILITY * 8 + SEVERITY[fields.level]}>1`,
    new Date(fields.at).toISOString(),
    host,
    'rookery',
    NONE,
    headerText(fields.logtype || fields.subject, 32),
  ].join(' ')
  return Buffer.from(`${header} ${structured(fields, messageId, format)} ${body(fields, messageId, format)}`)
}

/** A receiver of structured data finds the facts there; the other formats bring their own. */
function structured(fields: AlertFields, messageId: string, format: Format): string {
  const params: readonly (readonly [string, string | number, ...unknown[]])[] = [
    ['messageId', messageId],
    ...(format === 'plain' ? namedFields(fields, 'leef') : []),
  ]
  const own = params.map(([name, value]) => ` ${name}="${paramText(String(value))}"`).join('')
  return `[origin software="rookery" swVersion="${VERSION}"][${OWN}${own}]`
}

function body(fields: AlertFields, messageId: string, format: Format): string {
  switch (format) {
    case 'plain':
      return BOM + oneLine([fields.text, ...fields.details.map((it) => it.join(': '))].join('; '))
    case 'cef':
      return cefEvent(fields, messageId)
    case 'leef':
      return leefEvent(fields, messageId)
    case 'ecs':
      return JSON.stringify(ecsDocument(fields, messageId))
    case 'ocsf':
      return JSON.stringify(ocsfFinding(fields, messageId))
  }
}

/** PRINTUSASCII; anything else would end the field. */
const headerText = (text: string, most: number): string =>
  text.replace(/[^\x21-\x7e]/g, '').slice(0, most) || NONE

/** RFC 5424, 6.3.3. */
const paramText = (text: string): string => oneLine(text).replace(/["\\\]]/g, '\\$&')

const oneLine = (text: string): string => text.replace(/[\s\u0000-\u001f\u007f]+/g, ' ').trim()
