// Extension: every receiver of alerts in reach, whatever its kind, and whether it works.
import Type from 'typebox'
import { count, flock_id, oneOf, text } from '../fields.ts'
import { get, group } from '../operation.ts'

const Receiver = Type.Object({
  webhook_id: text,
  webhook_kind: text,
  url_host: Type.String({ description: 'Host of its URL, or how many recipients a list has' }),
  flock_id: Type.String({
    description: 'Flock whose alerts it takes; console if it takes those of every Flock',
  }),
  takes: oneOf(['incidents', 'weekly-summary'], { description: 'What it takes' }),
  state: oneOf(['fine', 'failing', 'silent', 'off'], {
    description:
      'fine; failing: every message fails since the time in since; silent: alerts of its Flock are switched off; off: it was switched off for the reason in reason',
  }),
  since: Type.String({ description: 'Since when every message fails; empty while they pass' }),
  reason: Type.String({
    description:
      'Why it was switched off, or what the last try of a waiting message was answered; else empty',
  }),
  last_success: Type.String({ description: 'When a message last passed; empty if none did within 90 days' }),
  waiting: { ...count, description: 'Messages that wait' },
  created_std: text,
})

export const receiverOverview = group(
  'Receiver overview',
  'Receivers of alerts of every kind and every Flock in one list, and the Flocks whose incidents reach nobody.',
  {
    list: get(
      '/receivers/list',
      'read-only',
      'flock',
      'List the receivers of alerts, and Flocks without any',
      { flock_id: Type.Optional(flock_id) },
      Type.Object({
        receivers: Type.Array(Receiver, { description: 'The receivers, by Flock and age' }),
        unreached: Type.Array(Type.Object({ flock_id: text, name: text }), {
          description: 'Flocks whose incidents reach nobody, by name',
        }),
      }),
    ),
  },
)
