// Extension: collectors of syslog.
import { syslog } from '@rookery/contract/groups/syslog.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { invalidParameter, required } from '@rookery/kernel/fault.ts'
import type { Query, Scope } from '../../../db/query.ts'
import { existingFlock } from '../../../stores/flocks/store.ts'
import { listReceivers, type ReceiverRow } from '../../../stores/webhooks/store.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { openReceiver } from '../../receiver.ts'
import { dropReceiver, NOT_THERE, testTarget } from '../../receivers.ts'
import type { Target } from '../../senders/sender.ts'
import { webhookOperations } from '../../webhook-operations.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { reader, vault, world, alerts } = deps
  const webhooks = webhookOperations(descriptor, deps)

  async function one(db: Query, scope: Scope, flockId: string, webhookId: string): Promise<ReceiverRow> {
    await existingFlock(db, scope, flockId)
    const rows = await listReceivers(db, flockId, descriptor.kind)
    return required(
      rows.find((it) => it.webhook_id === webhookId),
      NOT_THERE,
    )
  }

  return implement(syslog, {
    async add(given, call: ReceiverCall) {
      return { webhook_id: await webhooks.add(call, given, descriptor.parse(given)) }
    },
    async list({ flock_id }, call: ReceiverCall) {
      return { syslog: (await webhooks.list(call, flock_id)).views }
    },
    async remove({ flock_id, webhook_id }, { caller, change }: ReceiverCall) {
      await change(async (tx) => dropReceiver(tx, await one(tx.query, caller.scope, flock_id, webhook_id)))
      return {}
    },
    async test({ flock_id, webhook_id, ...given }, { caller }: ReceiverCall) {
      const flock = await existingFlock(reader, caller.scope, flock_id)
      const target =
        webhook_id === undefined
          ? unsaved(given)
          : openReceiver(vault, await one(reader, caller.scope, flock_id, webhook_id))
      await testTarget({ world }, alerts, flock, target)
      return {}
    },
  })
}

function unsaved({ host, ...given }: Omit<Params<typeof syslog.test>, 'flock_id' | 'webhook_id'>): Target {
  if (host === undefined) throw invalidParameter('host', 'is required, unless webhook_id is given')
  const { url, secret = '', settings = {} } = descriptor.parse({ host, ...given })
  return { kind: descriptor.kind, webhookId: '', url: url.href, headers: {}, secret, settings }
}
