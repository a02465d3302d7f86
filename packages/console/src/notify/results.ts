// What became of tries, written in groups: the next message need not wait for the commit of the last one.
// A crash in between repeats what was sent, under the same id.
import type { Base } from '../base.ts'
import { writeOutcomes, type Outcome } from '../stores/deliveries/queue.store.ts'
import { markNotified } from '../stores/incidents/notified.store.ts'

export interface Results {
  /** Notes an outcome, and the incidents that a receiver now knows of. */
  note(outcome: Outcome, notified?: readonly number[]): void
  /** Resolves once everything noted so far is committed. */
  settled(): Promise<void>
  /** Resolves at once, or, while too much is not committed, when there is room. */
  room(): Promise<void>
  /** Notes are forgotten from now on: the writer is about to close. */
  close(): void
}

const MOST_OPEN = 1_000
/** A result waits for company, so that a run of messages costs one commit and not one each. */
const LINGER_MS = 20
const ENOUGH = 200
const AGAIN_MS = 1_000

interface Noted {
  readonly outcome: Outcome
  readonly notified: readonly number[]
}

export function openResults({ writer, world, log }: Pick<Base, 'writer' | 'world' | 'log'>): Results {
  /** The newest outcome of each message. */
  let noted = new Map<number, Noted>()
  let busy = false
  let closed = false
  let rounds = 0
  /** Until so many rounds are done, somebody waits. */
  let wanted = 0
  let waiting: (() => void)[] = []
  let linger: (() => void) | undefined

  function flush(): void {
    linger?.()
    linger = undefined
    if (!busy && noted.size > 0) void drain()
  }

  async function drain(): Promise<void> {
    busy = true
    do {
      const taken = noted
      noted = new Map()
      try {
        await write([...taken.values()])
        rounds++
      } catch (error) {
        // What was noted meanwhile is newer.
        noted = new Map([...taken, ...noted])
        wanted = rounds + 1
        if (closed) break
        log.warn({ err: error }, 'cannot note deliveries; trying again')
        await new Promise<void>((resolve) => world.clock.after(AGAIN_MS, resolve))
      }
      wakeAll()
    } while (!closed && (noted.size >= ENOUGH || (noted.size > 0 && rounds < wanted)))
    busy = false
    wakeAll()
    if (noted.size > 0) lingerOn()
  }

  function lingerOn(): void {
    if (!closed) linger ??= world.clock.after(LINGER_MS, flush)
  }

  const write = (taken: readonly Noted[]): Promise<void> =>
    writer.write(async (tx) => {
      await writeOutcomes(
        tx,
        taken.map(({ outcome }) => outcome),
      )
      await markNotified(
        tx,
        taken.flatMap(({ notified }) => notified),
      )
    })

  function wakeAll(): void {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  const nextRound = (): Promise<void> => new Promise((resolve) => waiting.push(resolve))

  return {
    note(outcome, notified = []) {
      if (closed) return
      const before = noted.get(outcome.delivery_id)?.notified ?? []
      noted.set(outcome.delivery_id, { outcome, notified: [...before, ...notified] })
      if (noted.size >= ENOUGH) flush()
      else if (!busy) lingerOn()
    },
    async settled() {
      flush()
      // What is being written needs one round, what waits behind it another.
      const until = rounds + 2
      wanted = Math.max(wanted, until)
      while (busy && !closed && rounds < until) await nextRound()
    },
    async room() {
      if (noted.size >= MOST_OPEN) flush()
      while (busy && noted.size >= MOST_OPEN) await nextRound()
    },
    close() {
      closed = true
      linger?.()
      wakeAll()
    },
  }
}
