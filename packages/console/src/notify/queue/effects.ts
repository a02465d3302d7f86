// What the state machines of a delivery queue order besides their actions, carried out.
import type { QueuedRow } from '../../stores/deliveries/queue.store.ts'
import { endWaiting } from '../../stores/deliveries/store.ts'
import { foldedIncidents } from '../../stores/deliveries/summary.store.ts'
import { receiverState } from '../active-receivers.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import type { Effect } from './machine.ts'
import type { QueueDeps } from './queue-deps.ts'
import { markFailing, switchOff } from './receiver-health.ts'

/** The queue's other machine. */
interface Other {
  readonly wake: () => void
  readonly recovered: () => void
}

/** `onNotice`: messages for other receivers were committed. */
export function openEffects(
  webhookId: string,
  deps: QueueDeps,
  recorder: DeliveryRecorder,
  onNotice: () => void,
): (effect: Effect<QueuedRow>, other: Other) => Promise<void> {
  const { reader, writer, config, world, log } = deps

  async function record({
    message,
    state,
    result,
  }: Extract<Effect<QueuedRow>, { type: 'record' }>): Promise<void> {
    const { delivery_id, message_id, attempts, reduced, partly_sent, next_at } = message
    const { status, reason } = result
    const isDelivered = state === 'delivered'
    const delivered_at = isDelivered ? world.clock.now() : null
    recorder.record(
      { delivery_id, attempts, reduced, partly_sent, next_at, delivered_at, state, status, reason },
      isDelivered || result.isPartial ? await reportedIncidents(message) : [],
    )
    if (!isDelivered) log.debug({ webhook: webhookId, message: message_id, attempts, reason }, 'alert failed')
  }

  /** The incidents that the receiver now knows of. */
  async function reportedIncidents({
    subject,
    incident_id,
    message_id,
  }: QueuedRow): Promise<readonly number[]> {
    if (subject === 'incident') return [incident_id]
    return subject === 'notice' ? [] : foldedIncidents(reader, message_id)
  }

  return async (effect, other) => {
    switch (effect.type) {
      case 'record':
        return record(effect)
      case 'settle':
        return recorder.settled()
      case 'mark-failing':
        return markFailing(deps, webhookId, effect.since)
      case 'report-recovered':
        return other.recovered()
      case 'wake-other':
        return other.wake()
      case 'switch-off':
        // A result that is not stored yet would set its message waiting again.
        await recorder.settled()
        await switchOff(deps, webhookId, effect.reason)
        onNotice()
        return other.wake()
      case 'drop-waiting':
        await recorder.settled()
        return writer.write(async (tx) => {
          // It may have been switched on since, and new messages may wait: those wake the queue.
          config.observe(tx.configVersion())
          if (typeof (await receiverState(deps, webhookId)) === 'object') return
          await endWaiting(tx, webhookId, 'dropped', effect.reason)
        })
    }
  }
}
