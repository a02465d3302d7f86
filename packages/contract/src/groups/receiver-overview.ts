// Extension: every receiver of alerts in reach, whatever its kind, and whether it works.
import Type from 'typebox'
import { count, flock_id, oneOf, text } from '../fields.ts'
import { FormField } from '../form-fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { AttentionFields } from '../records/attention.ts'

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
  last_success: Type.String({
    description: 'When a message last passed; empty if none did as far as the log of deliveries goes back',
  }),
  ...AttentionFields,
  waiting: { ...count, description: 'Messages that wait' },
  created_std: text,
})

const webhook_id = Type.String({ maxLength: 64 })
const Form = Type.Object({
  path: Type.String({ description: 'Path of the operation, below /api/v1' }),
  fields: Type.Array(FormField, { description: 'Its parameters but for the Flock' }),
})
const maybe = (description: string) => Type.Union([Form, Type.Null()], { description })

const Kind = Type.Object({
  kind: Type.String({ description: 'Name of the kind' }),
  title: Type.String({ description: 'Its name for people' }),
  help: Type.String({ description: 'What it is, what it needs, and what its vendor limits' }),
  takes: oneOf(['incidents', 'weekly-summary'], { description: 'What it takes' }),
  lacks: Type.String({
    description: 'Why nothing can be sent as the console is configured, with the option to set; else empty',
  }),
  add: maybe('How one is added to a Flock; null where a page of the service authorises it'),
  test: maybe('How one is tested before it is added; null where it cannot be'),
  authorise: maybe('How the authorisation begins, which answers the page to open; null where it needs none'),
  add_everywhere: maybe('How one is set that takes the alerts of every Flock; null where there is none'),
  test_everywhere: maybe('How that one is tested; null where it cannot be'),
  list: Type.Union(
    [
      Type.Object({
        name: Type.String({ description: 'Field of the list in info' }),
        parameter: Type.String({ description: 'Parameter that holds the recipients' }),
      }),
      Type.Null(),
    ],
    {
      description:
        'Of a list of recipients: its field in info of notifications, and the parameter that holds them; else null',
    },
  ),
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
    kinds: get(
      '/receivers/kinds',
      'read-only',
      'everybody',
      'List the kinds of receivers, and how one of each is added and tested',
      {},
      Type.Object({ kinds: Type.Array(Kind, { description: 'The kinds, by name' }) }),
    ),
    test: post(
      '/receiver/test',
      'admin',
      'flock',
      'Send a test alert to a receiver of any kind',
      { webhook_id },
      Nothing,
      { example: { webhook_id: '{webhook_id}' } },
    ),
    enable: post(
      '/receiver/enable',
      'admin',
      'flock',
      'Switch a receiver on again that failed for too long or wanted no more messages',
      { flock_id, webhook_id },
      Nothing,
      { settings: 'flock', example: { flock_id: 'flock:default', webhook_id: '{webhook_id}' } },
    ),
    remove: post(
      '/receiver/remove',
      'admin',
      'flock',
      'Remove a receiver of a Flock, of any kind; a list of recipients becomes empty',
      { flock_id, webhook_id },
      Nothing,
      { settings: 'flock', example: { flock_id: 'flock:default', webhook_id: '{webhook_id}' } },
    ),
  },
)
