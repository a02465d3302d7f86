// What becomes of an incident, for the receivers that have states: a message to each that was notified of it by itself, behind
// that message. A digest has no state.
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { alertsOf } from '../../stores/deliveries/receivers.store.ts'
import { addDeliveries } from '../../stores/deliveries/store.ts'
import type { StateChange } from '../../stores/incidents/state.store.ts'
import { activeReceivers } from '../active-receivers.ts'
import { newMessageId } from '../message-id.ts'
import type { Notifier } from '../receivers.ts'

export interface Followers extends Pick<Notifier, 'wake'> {
  /** Within the transaction that changes them; `wake` once it is committed. */
  tell(tx: Tx, change: StateChange, incidentIds: readonly number[]): Promise<void>
}

/** No service takes an acknowledgement back, or opens again what is resolved. */
const SUBJECTS = {
  acknowledge: 'acknowledged',
  reacknowledge: 'acknowledged',
  delete: 'deleted',
  unacknowledge: undefined,
  restore: undefined,
} as const satisfies Record<StateChange, string | undefined>

export const openFollowers = ({
  config,
  world,
  notifier,
}: Pick<AppContext, 'config' | 'world'> & { readonly notifier: Pick<Notifier, 'wake'> }): Followers => ({
  wake: notifier.wake,
  async tell(tx, change, incidentIds) {
    const subject = SUBJECTS[change]
    const { followers } = await activeReceivers(config)
    if (subject === undefined || followers.length === 0 || incidentIds.length === 0) return
    const receipts = await alertsOf(tx.query, followers, incidentIds)
    if (receipts.length === 0) return
    const now = world.clock.now()
    const first = await tx.updatedIds(receipts.length)
    await addDeliveries(
      tx,
      receipts.map((row, index) => ({
        ...row,
        delivery_id: first + index,
        message_id: newMessageId(world.random),
        subject,
        next_at: now,
        created_at: now,
      })),
    )
  },
})
