// 4.17, event collector: it indexes the alerts of a Flock.
import Type from 'typebox'
import { flag, flock_id, secret } from '../fields.ts'
import { get, group, Nothing, post } from '../operation.ts'
import { Attention } from '../records/attention.ts'
import { Siem } from '../records/webhooks.ts'
import { changeFlock, theDefault } from '../switches.ts'

const host = Type.String({
  description: 'Domain name or IP address of the event collector',
  maxLength: 253,
})
const port = Type.String({ description: 'TCP port of the event collector, such as 8088', maxLength: 5 })
const token = secret(Type.String({ description: 'Token that the event collector requires', maxLength: 200 }))

export const flockCollector = group(
  'Flock event collector',
  'The event collector (HEC) that indexes the alerts of a Flock, over TLS. If its certificate is from your own ' +
    'authority, set ROOKERY_OUTBOUND_CA.',
  {
    add: changeFlock(
      '/flock/settings/webhooks/siem/add',
      'Set the event collector; it replaces the previous one',
      { flock_id, host, port, token, ...Attention },
      { host: 'collector.example.com', port: '8088', token: 'b3e1f7a4-52c0-4d86-9c0e-7a6f0d1b2c3d' },
    ),
    show: get(
      '/flock/settings/webhooks/siem',
      'admin',
      'flock',
      'Read the event collector',
      { flock_id },
      Type.Object({ siem_webhook: Siem, webhooks_enabled: flag }),
      { stepUp: true, example: theDefault },
    ),
    remove: changeFlock('/flock/settings/webhooks/siem/remove', 'Remove the event collector', { flock_id }),
    test: post(
      '/flock/settings/webhooks/siem/test',
      'admin',
      'flock',
      'Send a test alert to the event collector, as it is or before it is set',
      { flock_id, host: Type.Optional(host), port: Type.Optional(port), token: Type.Optional(token) },
      Nothing,
      { example: theDefault },
    ),
  },
)
