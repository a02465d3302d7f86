// One receiver of any kind: testing it, switching it on again, and removing it.
import type { receiverOverview } from '@rookery/contract/groups/receiver-overview.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { CONSOLE } from '@rookery/kernel/ids.ts'
import type { Query, Scope } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import type { ReceiverDeps } from '../../notify/receiver-kind.ts'
import { openReceiver } from '../../notify/receiver.ts'
import { receiverKinds } from '../../notify/receivers.gen.ts'
import { changeList } from '../../notify/recipient-lists.ts'
import { dropReceiver, NOT_THERE, testTarget } from '../../notify/receivers.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { findReceiver, switchReceiverOn, type ReceiverRow } from '../../stores/webhooks/store.ts'

type Overview = typeof receiverOverview

export const oneReceiver = (deps: ReceiverDeps) => ({
  async test({ webhook_id }: Params<Overview['test']>, { caller, note }: Call) {
    const { reader, vault, world, notifier } = deps
    const row = await existing(reader, caller.scope, webhook_id)
    if (row.flock_id !== CONSOLE) note({ flock_id: row.flock_id })
    const flock =
      row.flock_id === CONSOLE
        ? { flock_id: CONSOLE, name: 'every Flock' }
        : await existingFlock(reader, caller.scope, row.flock_id)
    await testTarget({ world }, notifier, flock, openReceiver(vault, row))
    return {}
  },

  async enable({ flock_id, webhook_id }: Params<Overview['enable']>, { caller, change }: Call) {
    await change(async (tx) => {
      const row = await ofFlock(tx.query, caller.scope, flock_id, webhook_id)
      if (row.disabled_reason !== '') await switchReceiverOn(tx, webhook_id)
    })
    deps.notifier.wake()
    return {}
  },

  async remove({ flock_id, webhook_id }: Params<Overview['remove']>, { caller, change }: Call) {
    await change(async (tx) => {
      const row = await ofFlock(tx.query, caller.scope, flock_id, webhook_id)
      const descriptor = receiverKinds[row.kind]?.descriptor
      if (descriptor?.madeBy === 'recipient-list')
        await changeList(tx, deps, flock_id, descriptor, { recipients: [], enabled: false })
      else await dropReceiver(tx, row)
    })
    return {}
  },
})

/** A receiver of every Flock's alerts belongs to those who see every Flock. */
async function existing(db: Query, scope: Scope, webhookId: string): Promise<ReceiverRow> {
  const row = await findReceiver(db, webhookId)
  if (row && (scope === 'all' || scope.includes(row.flock_id))) return row
  throw new Fault('not-found', NOT_THERE)
}

async function ofFlock(db: Query, scope: Scope, flockId: string, webhookId: string): Promise<ReceiverRow> {
  const row = await existing(db, scope, webhookId)
  if (row.flock_id === flockId) return row
  throw new Fault('not-found', NOT_THERE)
}
