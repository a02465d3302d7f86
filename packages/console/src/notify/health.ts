// Whether a receiver lives. One to which every message fails for five days is switched off, and another is told.
import type { Query, Tx } from '../db/query.ts'
import { systemEntry } from '../stores/audit/system-entry.ts'
import type { EntryFlock } from '../stores/audit/entry-flock.ts'
import { addDeliveries, endWaiting } from '../stores/deliveries/store.ts'
import { findFlock } from '../stores/flocks/store.ts'
import { findReceiver, markFailing, switchReceiverOff } from '../stores/webhooks/store.ts'
import type { Alerting } from './lane.ts'
import { newMessageId } from './outbox.ts'
import type { Ended } from './message/summary.ts'
import { servingReceivers, type Receiver } from './receiver.ts'
import type { Results } from './results.ts'
import { PATIENCE_MS } from './schedule.ts'
import type { Verdict } from './senders/sender.ts'

export interface Health {
  passed(): Promise<void>
  /** Notes that the head of the queue failed; true when the receiver was switched off for it. */
  failed(to: Receiver, verdict: Verdict): Promise<boolean>
  /** Switches the receiver off: what waits for it has failed. */
  end(to: Receiver, reason: string): Promise<void>
}

type Needs = Pick<Alerting, 'reader' | 'writer' | 'config' | 'world' | 'log'>

export function openHealth(webhookId: string, needs: Needs, results: Results, onNotice: () => void): Health {
  const { reader, writer, config, world, log } = needs
  const { clock, random } = world
  /** Read once; afterwards this process alone writes it. */
  let since: Promise<number | null> | undefined

  const failingSince = (): Promise<number | null> => (since ??= readSince(reader, webhookId))

  async function set(at: number | null): Promise<void> {
    since = Promise.resolve(at)
    await writer.write((tx) => markFailing(tx, webhookId, at))
  }

  async function end(to: Receiver, reason: string): Promise<void> {
    // Else a try that is not yet noted would set a message waiting again.
    await results.settled()
    const serving = (await servingReceivers(config)).get(to.flockId) ?? []
    const others = serving.filter((id) => id !== webhookId)
    const ended: Ended = { webhookId, host: to.host, reason }
    since = Promise.resolve(null)
    const switchOff = async (tx: Tx): Promise<EntryFlock> => {
      await markFailing(tx, webhookId, null)
      await switchReceiverOff(tx, webhookId, reason)
      await endWaiting(tx, webhookId, 'failed', reason)
      const flock = await findFlock(tx.query, 'all', to.flockId)
      const spoken = { flockId: to.flockId, flockName: flock?.name ?? '' }
      if (others.length === 0) return spoken
      const now = clock.now()
      const first = await tx.updatedIds(others.length)
      await addDeliveries(
        tx,
        others.map((other, index) => ({
          delivery_id: first + index,
          message_id: newMessageId(random),
          webhook_id: other,
          flock_id: to.flockId,
          subject: 'notice',
          payload: JSON.stringify(ended),
          next_at: now,
          created_at: now,
        })),
      )
      return spoken
    }
    const facts = { webhook_id: webhookId, host: to.host, reason }
    await writer.write(switchOff, 'care', (flock) => [
      systemEntry(clock, 'console', 'console.receiver_off', 'Switch off a receiver of alerts', facts, flock),
    ])
    log.error(
      { webhook: webhookId, flock: to.flockId, host: to.host, reason },
      'a receiver of alerts was switched off',
    )
    onNotice()
  }

  return {
    end,
    async passed() {
      if ((await failingSince()) !== null) await set(null)
    },
    async failed(to, { reason }) {
      const now = clock.now()
      const began = await failingSince()
      if (began === null) await set(now)
      if (began === null || now - began < PATIENCE_MS) return false
      await end(to, `Every message failed for 5 days; the last time: ${reason}`)
      return true
    },
  }
}

const readSince = async (db: Query, webhookId: string): Promise<number | null> =>
  (await findReceiver(db, webhookId))?.failing_since ?? null
