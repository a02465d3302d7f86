// Wakes the delivery queue of each receiver for which the outbox holds something new.
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import { openLease, type Lease } from '../../db/lease.ts'
import { lastDelivery, receiversSince } from '../../stores/deliveries/queue.store.ts'
import { receiversWithWaiting } from '../../stores/webhooks/store.ts'
import { openDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts'
import { openDeliveryRecorder } from './delivery-recorder.ts'
import type { QueueDeps } from './queue-deps.ts'

export interface Dispatcher {
  /** Goes on with what waits; before that nothing is sent. */
  start(): void
  /** Messages were committed: sends them now. */
  wake(): void
  /** A receiver has just been seen to work. */
  probe(webhookId: string): void
  /** Resolves once every queue is empty or waits for its time, and all results are stored. */
  idle(): Promise<void>
  /** Lets what is being sent end (at most a second), stores the results. */
  stop(): Promise<void>
}

/** How soon alerts that another console raised are noticed. */
const POLL_MS = 500
const RETRY_MS = 1_000
const GRACE_MS = 1_000
const OUTBOX = task(
  'outbox',
  POLL_MS,
  'Wakes the delivery queues of receivers for which there is something new; on SQLite when woken',
)
const PER_STEP = 1_000

export function openDispatcher(deps: QueueDeps & Pick<AppContext, 'engine'>): Dispatcher {
  const { reader, engine, world, log, background } = deps
  const { clock } = world
  const recorder = openDeliveryRecorder(deps)
  const queues = new Map<string, DeliveryQueue>()
  /** While this console holds the lease: how far it has read the outbox. Another object after each change of hands. */
  let holding: { /** Undefined until the outbox was read. */ seen: number | undefined } | undefined
  let lease: Lease | undefined

  function wakeQueue(webhookId: string, which: { scheduled: boolean }): void {
    const queue = queues.get(webhookId) ?? openDeliveryQueue(webhookId, deps, recorder, outbox.wake)
    queues.set(webhookId, queue)
    queue.wake(which)
  }

  /** Wakes the queues of what came since the last look. Numbers rise with commits, so nothing is passed over. */
  async function readOutbox(): Promise<number | undefined> {
    const mine = holding
    if (!mine) return undefined
    const from = mine.seen ?? (await lastDelivery(reader))
    const old = mine.seen === undefined ? await receiversWithWaiting(reader) : []
    const { receivers, last, isFull } = await receiversSince(reader, from, PER_STEP)
    // The lease was lost meanwhile; `begin` asks for another look.
    if (holding !== mine) return undefined
    mine.seen = last
    for (const webhookId of old) wakeQueue(webhookId, { scheduled: true })
    for (const { webhookId, scheduled } of receivers) wakeQueue(webhookId, { scheduled })
    if (isFull) return clock.now()
    return engine.name === 'sqlite' ? undefined : clock.now() + POLL_MS
  }

  const outbox = background.loop(OUTBOX, {
    clock,
    run: readOutbox,
    onError(error) {
      log.warn({ err: error }, 'cannot read the outbox; retrying in 1 s')
      return RETRY_MS
    },
  })

  function begin(): void {
    holding = { seen: undefined }
    outbox.wake()
  }
  function letGo(): Promise<unknown> {
    holding = undefined
    const stopped = Promise.all([...queues.values()].map((it) => it.stop()))
    queues.clear()
    return stopped
  }

  return {
    start: () => (lease = openLease(deps, 'notify', begin, () => void letGo())),
    wake: outbox.wake,
    probe: (webhookId) => queues.get(webhookId)?.recovered(),
    async idle() {
      await lease?.asked()
      await outbox.idle()
      await Promise.all([...queues.values()].map((it) => it.idle()))
      await recorder.settled()
    },
    async stop() {
      void outbox.stop()
      await Promise.race([
        letGo().then(() => recorder.settled()),
        new Promise<void>((resolve) => clock.after(GRACE_MS, resolve)),
      ])
      await lease?.stop()
      recorder.close()
    },
  }
}
