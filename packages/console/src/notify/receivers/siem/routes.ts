// 4.17, event collector: at most one for each Flock.
import { flockCollector } from '@rookery/contract/groups/flock-collector.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { required } from '@rookery/kernel/fault.ts'
import type { Query } from '../../../db/query.ts'
import { existingFlock } from '../../../stores/flocks/store.ts'
import { listReceivers, type ReceiverRow } from '../../../stores/webhooks/store.ts'
import type { ReceiverCall, ReceiverDeps } from '../../receiver-kind.ts'
import { openReceiver } from '../../receiver.ts'
import { dropReceiver, NOT_THERE, testTarget } from '../../receivers.ts'
import { webhookOperations } from '../../webhook-operations.ts'
import { descriptor } from './descriptor.ts'

export function routes(deps: ReceiverDeps): Route<ReceiverCall>[] {
  const { reader, vault, notifier } = deps
  const webhooks = webhookOperations(descriptor, deps)

  const collector = async (db: Query, flockId: string): Promise<ReceiverRow | undefined> =>
    (await listReceivers(db, flockId, descriptor.kind))[0]

  return implement(flockCollector, {
    async add(given, call: ReceiverCall) {
      await webhooks.add(call, given, descriptor.parse(given), (db) => collector(db, given.flock_id))
      return {}
    },
    async show({ flock_id }, call: ReceiverCall) {
      const { views, areOn } = await webhooks.list(call, flock_id)
      return { siem_webhook: views[0] ?? {}, webhooks_enabled: areOn }
    },
    async remove({ flock_id }, { caller, change }: ReceiverCall) {
      await change(async (tx) => {
        await existingFlock(tx.query, caller.scope, flock_id)
        await dropReceiver(tx, required(await collector(tx.query, flock_id), NOT_THERE))
      })
      return {}
    },
    async test({ flock_id, host, port, token }, { caller }: ReceiverCall) {
      const flock = await existingFlock(reader, caller.scope, flock_id)
      if (host === undefined) {
        const row = required(await collector(reader, flock_id), NOT_THERE)
        await testTarget(deps, notifier, flock, openReceiver(vault, row))
      } else {
        const {
          url,
          secret = '',
          settings = {},
        } = descriptor.parse({ host, port: port ?? '', token: token ?? '' })
        const unsaved = { kind: descriptor.kind, webhookId: '', url: url.given, headers: {} }
        await testTarget(deps, notifier, flock, { ...unsaved, secret, settings })
      }
      return {}
    },
  })
}
