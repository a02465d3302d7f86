// What exceeds a receiver's minute is folded into one message.
import type { AppContext } from '../../app-context.ts'
import { addDeliveries } from '../../stores/deliveries/store.ts'
import { foldWaiting, loadInOrder } from '../../stores/deliveries/queue.store.ts'
import { newMessageId } from '../message-id.ts'

const PER_STEP = 1_000

/** Folds every waiting incident of a receiver; a single one stays as it is. */
export async function foldIntoDigest(
  { reader, writer, world }: Pick<AppContext, 'reader' | 'writer' | 'world'>,
  webhookId: string,
  flockId: string,
  after: number,
): Promise<void> {
  const waiting = await loadInOrder(reader, webhookId, after, 2)
  if (waiting.filter(({ subject }) => subject === 'incident').length < 2) return
  const messageId = newMessageId(world.random)
  // The digest first: after a crash halfway, what is not folded goes out before it, one by one.
  const id = await writer.write(async (tx) => {
    const now = world.clock.now()
    const number = await tx.updatedIds(1)
    await addDeliveries(tx, [
      {
        delivery_id: number,
        message_id: messageId,
        webhook_id: webhookId,
        flock_id: flockId,
        subject: 'digest',
        next_at: now,
        created_at: now,
      },
    ])
    await foldWaiting(tx, webhookId, messageId, number, PER_STEP)
    return number
  })
  while ((await writer.write((tx) => foldWaiting(tx, webhookId, messageId, id, PER_STEP))) === PER_STEP);
}
