// Sends events from the spool to the console: a few batches without an acknowledgement at a time, in order.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { limit } from '@rookery/kernel/limit.ts'
import { workerLoop } from '@rookery/kernel/worker-loop.ts'
import { MAX_BATCH_EVENTS, type Body } from '@rookery/link/messages.ts'
import type { BirdClocks } from '../boot.ts'
import type { EventSpool } from '../event-spool.ts'
import type { BirdClock } from '../world.ts'

/** Batches that a Bird sends before it waits for an acknowledgement. */
const UNACKNOWLEDGED_BATCHES = limit('bird_event_batches_unacknowledged', 4)
/** Leaves room for the envelope in a frame of 65,516 bytes. */
const BATCH_BYTES = 60_000
const RETRY_MS = 1_000

export interface EventSenderDeps {
  readonly spool: EventSpool
  readonly clock: BirdClock
  readonly clocks: () => BirdClocks
  readonly report: (message: string) => void
}

/** `send` takes the JSON text of an EVENT_BATCH body. Begins behind the last event that the console has acknowledged. */
export function eventSender({ spool, clock, clocks, report }: EventSenderDeps, send: (json: string) => void) {
  /** The last event of each batch that is not acknowledged yet. */
  let unacknowledged: number[] = []
  let sentUpto = spool.acknowledged()
  let isStopped = false

  function sendBatches(): void {
    while (unacknowledged.length < UNACKNOWLEDGED_BATCHES.max) {
      const batch = spool.read(sentUpto, MAX_BATCH_EVENTS, BATCH_BYTES)
      if (!batch) return
      sentUpto = batch.last
      unacknowledged.push(batch.last)
      const envelope = JSON.stringify({ spoolId: spool.id(), first: batch.first, ...clocks() })
      // The events are JSON texts already: they are put behind the members of the envelope as they are.
      send(`${envelope.slice(0, -1)},"events":[${batch.events.join(',')}]}`)
    }
    UNACKNOWLEDGED_BATCHES.hit()
  }

  const loop = workerLoop({
    clock,
    async run() {
      // Events of this turn of the event loop go into one batch.
      await nextTurn()
      if (!isStopped) sendBatches()
      return undefined
    },
    onError(error) {
      report(`Events cannot be sent: ${(error as Error).message}. Retrying in ${RETRY_MS / 1000} s.`)
      return RETRY_MS
    },
  })

  return {
    /** Call when there may be events to send. */
    wake: loop.wake,
    acknowledged({ spoolId, upto }: Body<'ACK'>) {
      if (spoolId !== spool.id()) return
      spool.acknowledge(upto)
      unacknowledged = unacknowledged.filter((last) => last > upto)
      loop.wake()
    },
    stop() {
      isStopped = true
      void loop.stop()
    },
  }
}
