// While the disk is full a token still answers: its touch waits here, bounded and counted as not durable.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { TokenOutcome, TokenVisit } from '../../flows/ingest/entry.ts'

export interface Held {
  /** Stores the visit; while that is refused, answers after 2 s and tries again until it is stored. */
  submit(visit: TokenVisit): Promise<TokenOutcome>
  /** How many touches wait in memory. */
  size(): number
  stop(): void
}

const ANSWER_AFTER_MS = 2_000
const RETRY_MS = 1_000
const MOST_HELD = 10_000
const NOTHING_KNOWN: TokenOutcome = { kind: undefined, settings: {} }

export function openHeld(store: (visit: TokenVisit) => Promise<TokenOutcome>, clock: Clock): Held {
  let held: TokenVisit[] = []
  let cancel: (() => void) | undefined

  function retryLater(): void {
    cancel ??= clock.after(RETRY_MS, () => {
      cancel = undefined
      const trying = held
      held = []
      for (const visit of trying) store(visit).catch(() => hold(visit))
    })
  }
  function hold(visit: TokenVisit): void {
    if (held.length < MOST_HELD) held.push(visit)
    retryLater()
  }

  return {
    async submit(visit) {
      try {
        return await store(visit)
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
        hold(visit)
        await new Promise<void>((resolve) => clock.after(ANSWER_AFTER_MS, resolve))
        return NOTHING_KNOWN
      }
    },
    size: () => held.length,
    stop: () => cancel?.(),
  }
}
