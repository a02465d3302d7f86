// An alert as a record of the table incident, within the lengths of its columns.
import { logtypeOf } from '../../../logtypes.ts'
import { defanged } from '../../formats/defanged.ts'
import { cut, factsOf, fitFacts, oneLine } from '../../message/facts.ts'
import { withoutPasswords } from '../../message/fields.ts'
import { linkOf } from '../../message/link.ts'
import type { Message } from '../../message/message.ts'

const SHORT = 160
const LONG = 4_000
/** Impact and urgency make the priority: 1 is high, 3 is low. */
const URGENCY = { used: '1', tried: '2', looked: '3', house: '3' } as const
const ROOM = { facts: 40, label: 60, value: 400, bytes: 3_000 }

export function incidentRecord(message: Message): Readonly<Record<string, string>> {
  const link = linkOf(message)
  const lines = fitFacts(factsOf(withoutPasswords(message)), ROOM).map(([label, value]) =>
    oneLine(`${label}: ${value}`),
  )
  const tail = link ? `\n\n${link.title}: ${link.url}` : ''
  const text = [oneLine(cut(message.intro, 500)), '', ...lines].map(inert).join('\n')
  const urgency = URGENCY['logtype' in message ? (logtypeOf(message.logtype).level ?? 'house') : 'looked']
  return {
    short_description: cut(inert(oneLine(message.description)), SHORT) || 'An alert',
    description: cut(text, LONG - tail.length) + tail,
    impact: urgency,
    urgency,
  }
}

/** What stands between [code] and [/code] some views show as HTML. */
const inert = (text: string): string => defanged(text).replace(/\[(\/?code)\]/gi, '($1)')
