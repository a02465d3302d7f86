// Moves events from the spool to the console: a few batches under way at a time, in order, until each is acknowledged.
import { MAX_BATCH_EVENTS, type Body } from '@rookery/link/messages.ts'
import type { Spool } from './spool/spool.ts'

const WINDOW = 4
/** Leaves room for the envelope in a frame of 65,516 bytes. */
const BATCH_BYTES = 60_000

export interface Pump {
  /** There may be something to send. */
  wake(): void
  acked(ack: Body<'ACK'>): void
  stop(): void
}

export interface Clocks {
  readonly wallMs: number
  readonly monotonicMs: number
  readonly bootId: string
}

/** `send` takes the JSON text of an EVENT_BATCH body. Begins after what the console is known to have. */
export function pump(spool: Spool, clocks: () => Clocks, send: (json: string) => void): Pump {
  let sentUpto = spool.acknowledged()
  let underWay: number[] = []
  let isWoken = false
  let isStopped = false

  function run(): void {
    isWoken = false
    while (!isStopped && underWay.length < WINDOW) {
      const batch = spool.read(sentUpto, MAX_BATCH_EVENTS, BATCH_BYTES)
      if (!batch) return
      sentUpto = batch.last
      underWay.push(batch.last)
      const envelope = JSON.stringify({ spoolId: spool.id(), first: batch.first, ...clocks() })
      // The events are JSON texts already: they go behind the envelope's members as they are.
      send(`${envelope.slice(0, -1)},"events":[${batch.events.join(',')}]}`)
    }
  }

  const wake = (): void => {
    if (isWoken || isStopped) return
    isWoken = true
    setImmediate(run)
  }

  return {
    wake,
    acked({ spoolId, upto }) {
      if (spoolId !== spool.id()) return
      spool.acknowledge(upto)
      underWay = underWay.filter((last) => last > upto)
      wake()
    },
    stop() {
      isStopped = true
    },
  }
}
