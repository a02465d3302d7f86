// What the console keeps of a receiver's health: since when every message fails, and that it was switched off.
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import { systemEntry } from '../../stores/audit/system-entry.ts'
import { addDeliveries, endWaiting } from '../../stores/deliveries/store.ts'
import { findFlock } from '../../stores/flocks/store.ts'
import { findReceiver, setFailingSince, switchReceiverOff } from '../../stores/webhooks/store.ts'
import { activeReceivers } from '../active-receivers.ts'
import type { SwitchedOff } from '../message/summary.ts'
import { newMessageId } from '../message-id.ts'

export const markFailing = (
  { writer }: Pick<AppContext, 'writer'>,
  webhookId: string,
  since: number | null,
): Promise<void> => writer.write((tx) => setFailingSince(tx, webhookId, since))

/** Switches a receiver off: what waits for it has failed, and the other receivers of its Flock get a notice. */
export async function switchOff(
  { writer, config, world, log }: Pick<AppContext, 'writer' | 'config' | 'world' | 'log'>,
  webhookId: string,
  reason: string,
): Promise<void> {
  const active = await activeReceivers(config)

  async function work(tx: Tx) {
    const row = await findReceiver(tx.query, webhookId)
    if (!row) return undefined
    await setFailingSince(tx, webhookId, null)
    await switchReceiverOff(tx, webhookId, reason)
    await endWaiting(tx, webhookId, 'failed', reason)
    const others = (active.get(row.flock_id) ?? []).filter((id) => id !== webhookId)
    await addNotices(tx, others, row.flock_id, { webhookId, host: row.host, reason })
    const flock = await findFlock(tx.query, 'all', row.flock_id)
    return { host: row.host, flockId: row.flock_id, flockName: flock?.name ?? '' }
  }

  async function addNotices(
    tx: Tx,
    to: readonly string[],
    flockId: string,
    notice: SwitchedOff,
  ): Promise<void> {
    if (to.length === 0) return
    const now = world.clock.now()
    const first = await tx.updatedIds(to.length)
    await addDeliveries(
      tx,
      to.map((other, index) => ({
        delivery_id: first + index,
        message_id: newMessageId(world.random),
        webhook_id: other,
        flock_id: flockId,
        subject: 'notice',
        payload: JSON.stringify(notice),
        next_at: now,
        created_at: now,
      })),
    )
  }

  const ended = await writer.write(work, 'care', (row) => {
    if (!row) return []
    const facts = { webhook_id: webhookId, host: row.host, reason }
    const what = 'Switch off a receiver of alerts'
    return [systemEntry(world.clock, 'console', 'console.receiver_off', what, facts, row)]
  })
  if (ended)
    log.error(
      { webhook: webhookId, flock: ended.flockId, host: ended.host, reason },
      'alert receiver switched off',
    )
}
