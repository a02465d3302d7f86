// Stores the results of tries in groups: the next message need not wait for the commit of the last one. After a crash in
// between, what was sent is sent again under the same id.
import { batcher } from '@rookery/kernel/batcher.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { AppContext } from '../../app-context.ts'
import { writeOutcomes, type Outcome } from '../../stores/deliveries/queue.store.ts'
import { markNotified } from '../../stores/incidents/write.store.ts'

export interface DeliveryRecorder {
  /** Takes a result, and the incidents that a receiver now knows of. */
  record(outcome: Outcome, notified: readonly number[]): void
  /** Resolves once everything taken so far is committed. */
  settled(): Promise<void>
  /** Resolves at once, or, while too much is not committed, when there is room. */
  room(): Promise<void>
  /** Stores nothing more: the writer is about to close. */
  close(): void
}

/** Results of tries that no commit holds yet. */
const UNCOMMITTED = limit('uncommitted_deliveries', 1_000)
/** A result waits for others, so that a run of messages costs one commit and not one each. */
const GATHER_MS = 20
const ENOUGH = 200
const RETRY_MS = 1_000

interface Recorded {
  readonly outcome: Outcome
  readonly notified: readonly number[]
}

export function openDeliveryRecorder({
  writer,
  world: { clock },
  log,
}: Pick<AppContext, 'writer' | 'world' | 'log'>): DeliveryRecorder {
  let isClosed = false
  let due = Promise.withResolvers<void>()
  let last: Promise<void> = Promise.resolve()

  async function gather(): Promise<void> {
    const cancel = clock.after(GATHER_MS, due.resolve)
    await due.promise
    cancel()
    due = Promise.withResolvers()
  }

  async function flush(taken: readonly Recorded[]): Promise<readonly void[]> {
    // A message may have been tried twice: its last result counts.
    const outcomes = new Map(taken.map(({ outcome }) => [outcome.delivery_id, outcome]))
    const notified = taken.flatMap((it) => it.notified)
    while (!isClosed && !(await write([...outcomes.values()], notified)))
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve))
    return taken.map(() => undefined)
  }

  async function write(outcomes: readonly Outcome[], notified: readonly number[]): Promise<boolean> {
    try {
      await writer.write(async (tx) => {
        await writeOutcomes(tx, outcomes)
        await markNotified(tx, notified)
      })
      return true
    } catch (error) {
      if (!isClosed) log.warn({ err: error }, 'cannot record deliveries; retrying in 1 s')
      return false
    }
  }

  const batches = batcher<Recorded, void>({ max: UNCOMMITTED.max, gather, flush })

  function settled(): Promise<void> {
    due.resolve()
    return last
  }

  return {
    record(outcome, notified) {
      if (isClosed) return
      last = batches.add({ outcome, notified })
      if (batches.waiting() >= ENOUGH) due.resolve()
    },
    settled,
    async room() {
      if (batches.waiting() < UNCOMMITTED.max) return
      UNCOMMITTED.hit()
      await settled()
    },
    close() {
      isClosed = true
      due.resolve()
    },
  }
}
