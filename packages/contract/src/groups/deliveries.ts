// Extension: the log of deliveries, kept for 90 days (or as `settings/retention` says), and replaying them.
import Type from 'typebox'
import { count, cursor, flock_id, incident, oneOf, text } from '../fields.ts'
import { get, group, post } from '../operation.ts'

const state = oneOf(['waiting', 'delivered', 'failed', 'dropped', 'folded'], {
  description: 'State of the delivery; folded: a digest took its place; dropped: it is not sent any more',
})
const since = Type.String({
  description:
    'Only deliveries created at or after this time, yyyy-mm-dd-hh:mm:ss (UTC), ISO 8601 or seconds since 1970',
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
  incident: Type.String({ description: 'Key of the incident; empty if the subject is not incident' }),
  state,
  attempt: count,
  status: count,
  reason: text,
  created_std: text,
  next_attempt: text,
})

export const deliveries = group(
  'Deliveries',
  'Messages to receivers of alerts: whether they arrived, and replaying them.',
  {
    list: get(
      '/deliveries/list',
      'read-only',
      'flock',
      'List deliveries, newest first',
      {
        flock_id: Type.Optional(flock_id),
        webhook_id: Type.Optional(Type.String({ maxLength: 64 })),
        state: Type.Optional(state),
        since: Type.Optional(since),
        incident: Type.Optional({ ...incident, description: 'Only deliveries about this incident' }),
        limit: Type.Optional(
          Type.Integer({
            description: 'Page size; default 100, at most 1000',
            minimum: 1,
          }),
        ),
        cursor,
      },
      Type.Object({
        deliveries: Type.Array(Delivery),
        cursor: Type.Object({
          next: Type.Union([text, Type.Null()], {
            description: 'Cursor of the next page; null on the last page',
          }),
        }),
      }),
      { example: { flock_id: 'flock:default', limit: 20 } },
    ),
    fetch: get(
      '/delivery/fetch',
      'admin',
      'flock',
      'Read a delivery and what its receiver is sent',
      { delivery_id: Type.String({ maxLength: 16 }) },
      Type.Object({
        delivery: { ...Delivery, description: 'The delivery' },
        message: Type.Union(
          [
            Type.Object({
              method: Type.String({ description: 'Method of the request; MAIL for a letter' }),
              headers: Type.Record(Type.String(), Type.String(), {
                description:
                  'Headers of the request; … stands for a secret, and for what each try writes anew',
              }),
              body: Type.String({ description: 'Body of the request' }),
            }),
            Type.Null(),
          ],
          {
            description:
              'The message as a try sends it now; null if its receiver or its incident is not there any more',
          },
        ),
      }),
      { example: { delivery_id: '{delivery_id}' } },
    ),
    replayOne: post(
      '/delivery/replay',
      'admin',
      'flock',
      'Send a message again; one that is waiting is sent now',
      { delivery_id: Type.String({ maxLength: 16 }) },
      Type.Object({ delivery_id: Type.Integer({ description: 'Number of the new delivery' }) }),
      { example: { delivery_id: '{delivery_id}' } },
    ),
    replayMany: post(
      '/deliveries/replay',
      'admin',
      'flock',
      'Send again what a receiver missed since a time, in order, at most 5,000 messages',
      {
        webhook_id: Type.String({ maxLength: 64 }),
        since,
        state: Type.Optional(
          oneOf(['failed', 'dropped', 'delivered'], {
            description: 'Only deliveries in this state; default: failed and dropped',
          }),
        ),
      },
      Type.Object({ replayed: count, more: Type.Boolean() }),
      { example: { webhook_id: '{webhook_id}', since: '2026-11-20-00:00:00' } },
    ),
  },
)
