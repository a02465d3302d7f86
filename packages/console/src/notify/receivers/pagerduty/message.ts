// An alert as an event of the Events API v2, within its published limits.
import { cut, fitFacts } from '../../message/facts.ts'
import { fieldsOf, namedFields } from '../../message/fields.ts'
import { incidentUrl } from '../../message/link.ts'
import type { Fact, Message } from '../../message/message.ts'
import { defanged } from '../../formats/defanged.ts'

const SEVERITY = { used: 'critical', tried: 'error', looked: 'warning', house: 'info' } as const
const SUMMARY = 1_024
/** Of what has no published limit. */
const TEXT = 255
/** Of 512 KB for an event. */
const ROOM = { facts: 100, label: 80, value: 2_000, bytes: 200_000 }

const ACTIONS = { acknowledged: 'acknowledge', deleted: 'resolve' } as const

export function pagerdutyEvent(message: Message, messageId: string, routingKey: string): object {
  const fields = fieldsOf(message, messageId, false)
  const about = { routing_key: routingKey, dedup_key: fields.id }
  if ('incident' in message && message.state !== undefined)
    return { ...about, event_action: ACTIONS[message.state] }
  const url = incidentUrl(message)
  const text = (it: string, most = TEXT): string => cut(defanged(it), most)
  const known = namedFields(fields, 'leef').filter(([name]) => name !== 'url')
  const facts = known.map(([, value, title]): Fact => [title, text(String(value), ROOM.value)])
  const details = fields.details.map(([label, value]): Fact => [text(label), text(value, ROOM.value)])
  return {
    ...about,
    event_action: 'trigger',
    client: 'Rookery',
    ...(message.consoleUrl !== '' && { client_url: message.consoleUrl }),
    ...(url !== undefined && { links: [{ href: url, text: 'Open the incident' }] }),
    payload: {
      summary: text(fields.text || fields.name, SUMMARY),
      source: text(fields.nodeName || fields.nodeId || fields.flockName) || 'Rookery',
      severity: SEVERITY[fields.level],
      timestamp: new Date(fields.at).toISOString(),
      ...(fields.nodeId !== '' && { component: fields.nodeId }),
      ...(fields.flockName !== '' && { group: text(fields.flockName) }),
      ...(fields.logtype !== '' && { class: text(fields.name) }),
      custom_details: Object.fromEntries(fitFacts([...facts, ...details], ROOM)),
    },
  }
}
