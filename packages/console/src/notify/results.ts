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
}

const MOST_OPEN = 1_000
const PER_WRITE = 500
const AGAIN_MS = 1_000

export function openResults({ writer, world, log }: Pick<Base, 'writer' | 'world' | 'log'>): Results {
  /** The newest outcome of each message. */
  const noted = new Map<number, { outcome: Outcome; notified: readonly number[] }>()
  let writing: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (noted.size > 0) {
      const taken = [...noted.entries()].slice(0, PER_WRITE)
      for (const [id] of taken) noted.delete(id)
      try {
        await writer.write(async (tx) => {
          await writeOutcomes(tx, taken.map(([, { outcome }]) => outcome))
          await markNotified(tx, taken.flatMap(([, { notified }]) => notified))
        })
      } catch (error) {
        for (const [id, item] of taken) if (!noted.has(id)) noted.set(id, item)
        log.warn({ err: error }, 'cannot note deliveries; trying again')
        await new Promise<void>((resolve) => world.clock.after(AGAIN_MS, resolve))
      }
    }
    writing = undefined
  }

  return {
    note(outcome, notified = []) {
      noted.set(outcome.delivery_id, { outcome, notified })
      writing ??= drain()
    },
    async settled() {
      while (writing) await writing
    },
    async room() {
      while (writing && noted.size >= MOST_OPEN) await writing
    },
  }
}
