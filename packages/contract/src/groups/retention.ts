// Extension: how long incidents that are done with, and deliveries, are kept.
import Type from 'typebox'
import { count, flock_id } from '../fields.ts'
import { get, group, post } from '../operation.ts'

const DAYS = 3_650
const DONE_WITH =
  'Days after which an incident that was acknowledged or deleted, and that nobody and nothing touched since, is removed for good'
const LOGGED = 'Days after which an entry of the log of deliveries is removed'
/** A receiver is tried for five days. */
const MIN_DELIVERY_DAYS = 7

const days = (text: string, least: number, more: string) =>
  Type.Integer({ minimum: least, maximum: DAYS, description: `${text}; ${more}` })

const KEEPS = '0 keeps it'
const console = {
  incident_days: days(DONE_WITH, 0, KEEPS),
  delivery_days: days(LOGGED, 0, `${KEEPS}, and less than ${MIN_DELIVERY_DAYS} is refused`),
}
const FOLLOWS = `${KEEPS}, -1 does as the console`
const own = {
  incident_days: days(DONE_WITH, -1, FOLLOWS),
  delivery_days: days(LOGGED, -1, `${FOLLOWS}, and less than ${MIN_DELIVERY_DAYS} is refused`),
}
const optional = <A, B>({ incident_days, delivery_days }: { incident_days: A; delivery_days: B }) => ({
  incident_days: Type.Optional(incident_days as A & ReturnType<typeof days>),
  delivery_days: Type.Optional(delivery_days as B & ReturnType<typeof days>),
})
const Console = Type.Object(console)
const Flock = Type.Object(own)

export const retention = group(
  'Retention',
  'How long incidents that are done with, and deliveries, are kept: by the console, and by a Flock in its own way.',
  {
    read: get(
      '/settings/retention',
      'read-only',
      'console',
      'Read how long the console keeps incidents that are done with, and deliveries',
      {},
      Console,
    ),
    change: post(
      '/settings/retention',
      'admin',
      'console',
      'Change how long the console keeps them; what is not given stays as it is',
      optional(console),
      Console,
      { settings: 'console', stepUp: true, example: { incident_days: 365, delivery_days: 90 } },
    ),
    due: get(
      '/settings/retention/due',
      'read-only',
      'console',
      'Count what would be removed now; days that are given stand in for those of the console',
      optional(console),
      Type.Object({
        incidents: { ...count, description: 'Incidents that are done with' },
        deliveries: { ...count, description: 'Entries of the log of deliveries' },
      }),
      { readsLong: true, example: { incident_days: 365 } },
    ),
    readFlock: get(
      '/flock/settings/retention',
      'read-only',
      'flock',
      'Read how long a Flock keeps them, where it does otherwise than the console',
      { flock_id },
      Flock,
      { example: { flock_id: '{flock_id}' } },
    ),
    changeFlock: post(
      '/flock/settings/retention',
      'admin',
      'flock',
      'Change how long a Flock keeps them; what is not given stays as it is',
      { flock_id, ...optional(own) },
      Flock,
      { settings: 'flock', stepUp: true, example: { flock_id: '{flock_id}', incident_days: 30 } },
    ),
  },
)
export { MIN_DELIVERY_DAYS }
