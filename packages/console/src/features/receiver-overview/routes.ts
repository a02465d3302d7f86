// Extension: every receiver in reach and whether it works, and the Flocks whose incidents reach nobody.
import { receiverOverview } from '@rookery/contract/groups/receiver-overview.ts'
import type { Answer } from '@rookery/contract/operation.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { std } from '@rookery/kernel/time.ts'
import type { Call } from '../../http/call.ts'
import { activeReceivers } from '../../notify/active-receivers.ts'
import { attentionView } from '../../notify/attention.ts'
import type { ReceiverDeps } from '../../notify/receiver-kind.ts'
import { receiverKinds } from '../../notify/receivers.gen.ts'
import { listReceiverHealth, type ReceiverHealth } from '../../stores/deliveries/health.store.ts'
import { existingFlock, listFlocks } from '../../stores/flocks/store.ts'
import type { ActiveReceivers } from '../../stores/webhooks/store.ts'
import type { ChatDeps } from '../../notify/chat-app.ts'
import { kindViews } from './kinds.ts'
import { oneReceiver } from './one.ts'

type View = Answer<typeof receiverOverview.list>['receivers'][number]

export function receiverOverviewRoutes(deps: ReceiverDeps & ChatDeps): Route<Call>[] {
  const { reader, config } = deps
  return implement(receiverOverview, {
    ...oneReceiver(deps),
    kinds: () => Promise.resolve({ kinds: kindViews(deps) }),
    async list({ flock_id }, { caller: { scope } }: Call) {
      const flocks =
        flock_id === undefined
          ? await listFlocks(reader, scope)
          : [await existingFlock(reader, scope, flock_id)]
      const active = await activeReceivers(config)
      return {
        receivers: (await listReceiverHealth(reader, scope, flock_id)).map((row) => view(row, active)),
        unreached: flocks
          .filter((it) => (active.get(it.flock_id) ?? []).length === 0)
          .map(({ flock_id: id, name }) => ({ flock_id: id, name })),
      }
    },
  })
}

function view(row: ReceiverHealth, active: ActiveReceivers): View {
  const takes = receiverKinds[row.kind]?.descriptor.takes ?? 'incidents'
  return {
    webhook_id: row.webhook_id,
    webhook_kind: row.kind,
    url_host: row.host,
    flock_id: row.flock_id,
    takes,
    state: stateOf(row, takes === 'incidents' ? active : undefined),
    since: row.failing_since === null ? '' : std(row.failing_since),
    reason: row.disabled_reason || (row.answered ?? ''),
    last_success: row.last_success === null ? '' : std(row.last_success),
    ...(takes === 'incidents' && attentionView(row)),
    waiting: Number(row.waiting ?? 0),
    created_std: std(row.created_at),
  }
}

/** `active`: the receivers that the switches of alerts leave on; undefined where they do not apply. */
function stateOf(row: ReceiverHealth, active: ActiveReceivers | undefined): View['state'] {
  if (row.disabled_reason !== '') return 'off'
  if (active && !active.get(row.flock_id)?.includes(row.webhook_id)) return 'silent'
  return row.failing_since === null ? 'fine' : 'failing'
}
