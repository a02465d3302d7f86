// The actions of a delivery queue's state machines, carried out: their results are the machines' next inputs.
import type { Random } from '@rookery/kernel/world.ts'
import { readVersion } from '../../db/config-cache.ts'
import type { loadInOrder, QueuedRow } from '../../stores/deliveries/queue.store.ts'
import { closeBacklog } from '../../stores/deliveries/store.ts'
import { receiverState } from '../active-receivers.ts'
import { render } from '../message/render.ts'
import type { Receiver } from '../receiver.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import { foldIntoDigest } from './digest.ts'
import type { Action, Input } from './machine.ts'
import type { QueueDeps } from './queue-deps.ts'
import { withSource } from './with-source.ts'

export type Load = typeof loadInOrder

type Active = Exclude<Action<QueuedRow>, { type: 'sleep' }>

/** A receiver that takes no messages is the next input, whatever the action. */
export function openActions(
  webhookId: string,
  deps: QueueDeps,
  recorder: DeliveryRecorder,
): (action: Active, load: Load) => Promise<Input<QueuedRow>> {
  const { reader, writer, config, world } = deps

  /** The receiver, if messages may go to it now; otherwise the reason why not. */
  async function receiver(): Promise<Receiver | string> {
    let now = await receiverState(deps, webhookId)
    if (now === undefined || now === 'off') {
      // The cache may be older than the receiver: another console may have added it a moment ago.
      config.observe(await readVersion(reader))
      now = await receiverState(deps, webhookId)
    }
    if (now === 'off') return 'Alerts of the Flock are off.'
    return now ?? 'The webhook is not there any more.'
  }

  return async (action, load) => {
    const to = await receiver()
    if (typeof to === 'string') return { type: 'refused', reason: to }
    switch (action.type) {
      case 'load':
        return { type: 'loaded', messages: await load(reader, webhookId, action.after, action.max) }
      case 'fold':
        await foldIntoDigest(deps, webhookId, to.flockId, action.after)
        return { type: 'folded' }
      case 'send': {
        const { message } = action
        await recorder.room()
        if (message.subject === 'backlog' && message.attempts === 0)
          await writer.write((tx) => closeBacklog(tx, message.delivery_id))
        const content = await render(reader, await withSource(message, deps), deps.consoleUrl())
        const result = await deps.send(to, content, message.message_id)
        return { type: 'sent', message, result, jitter: jitter(world.random) }
      }
    }
  }
}

/** From 0 to 1. */
function jitter(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2)
  return (high * 256 + low) / 65_535
}
