// Extension: the log of deliveries, kept for 90 days, and sending again.
import Type from 'typebox'
import { count, flock_id, text } from '../fields.ts'
import { get, group, post } from '../operation.ts'

const state = Type.Union(
  [
    Type.Literal('waiting'),
    Type.Literal('delivered'),
    Type.Literal('failed'),
    Type.Literal('dropped'),
    Type.Literal('folded'),
  ],
  { description: 'What became of it; folded is told by a digest, dropped was no longer wanted' },
)
const since = Type.String({
  description: 'Only what was made at or after this time, yyyy-mm-dd-hh:mm:ss, UTC',
  maxLength: 40,
})

const Delivery = Type.Object({
  delivery_id: count,
  message_id: text,
  replay_of: count,
  webhook_id: text,
  webhook_kind: text,
  url_host: text,
  flock_id: text,
  subject: text,
  incident: Type.String({ description: 'Key of the incident; empty for every other subject' }),
  state,
  attempt: count,
  status: count,
  reason: text,
  created_std: text,
  next_attempt: text,
})

export const deliveries = group(
  'Deliveries',
  'What was sent to the receivers of alerts, what became of it, and sending it again.',
  {
    list: get(
      '/deliveries/list',
      'read-only',
      'List deliveries, the newest first',
      {
        flock_id: Type.Optional(flock_id),
        webhook_id: Type.Optional(Type.String({ maxLength: 64 })),
        state: Type.Optional(state),
        since: Type.Optional(since),
        limit: Type.Optional(
          Type.Integer({
            description: 'Most deliveries of a page, 100 by default, 1,000 at most',
            minimum: 1,
          }),
        ),
        cursor: Type.Optional(Type.String({ maxLength: 4096 })),
      },
      Type.Object({
        deliveries: Type.Array(Delivery),
        cursor: Type.Object({
          next: Type.Union([text, Type.Null()], { description: 'Shows the next page; null on the last one' }),
        }),
      }),
      { example: { params: { flock_id: 'flock:default', limit: 20 } } },
    ),
    replayOne: post(
      '/delivery/replay',
      'admin',
      'Send a message again; one that waits is tried at once',
      { delivery_id: Type.String({ maxLength: 16 }) },
      Type.Object({ delivery_id: Type.Integer({ description: 'The new delivery' }) }),
      { example: { params: { delivery_id: '{delivery_id}' } } },
    ),
    replayMany: post(
      '/deliveries/replay',
      'admin',
      'Send again what a receiver did not get since a time, in its order, 5,000 messages at most',
      {
        webhook_id: Type.String({ maxLength: 64 }),
        since,
        state: Type.Optional(
          Type.Union([Type.Literal('failed'), Type.Literal('dropped'), Type.Literal('delivered')], {
            description: 'Only these; default: failed and dropped',
          }),
        ),
      },
      Type.Object({ replayed: count, more: Type.Boolean() }),
      { example: { params: { webhook_id: '{webhook_id}', since: '2026-11-20-00:00:00' } } },
    ),
  },
)
