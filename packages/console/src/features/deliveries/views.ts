// A delivery as the API shows it: no secret of its receiver, only the host.
import type { deliveries } from '@rookery/contract/groups/deliveries.ts'
import type { Answer } from '@rookery/contract/operation.ts'
import { std } from '@rookery/kernel/time.ts'
import type { LogRow } from '../../stores/deliveries/log.store.ts'

type View = Answer<typeof deliveries.list>['deliveries'][number]

export const deliveryView = (row: LogRow): View => ({
  delivery_id: row.delivery_id,
  message_id: row.message_id,
  replay_of: row.replay_of,
  webhook_id: row.webhook_id,
  webhook_kind: row.kind ?? '',
  url_host: row.host ?? '',
  flock_id: row.flock_id,
  subject: row.subject,
  incident: row.incident_key ?? '',
  state: row.state,
  attempt: row.attempts,
  status: row.status,
  reason: row.reason,
  created_std: std(row.created_at),
  next_attempt: row.state === 'waiting' ? std(row.next_at) : '',
})
