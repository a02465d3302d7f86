// While the disk is full a token still answers: its touch waits here, bounded and counted as not durable.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { TokenOutcome, TokenVisit } from '../../flows/ingest/entry.ts'

export interface Held {
  /** Stores the visit; while that is refused, answers after 2 s and tries again until it is stored. */
  submit(visit: TokenVisit): Promise<TokenOutcome>
  /** How many touches wait in memory, those that are just being tried again too. */
  size(): number
  /** Tries a last time; answers how many touches are lost. */
  stop(): Promise<number>
}

const ANSWER_AFTER_MS = 2_000
const RETRY_MS = 1_000
const MOST_HELD = 10_000
const NOTHING_KNOWN: TokenOutcome = { kind: undefined, settings: {} }

/** `onLost` hears of a touch that found no place, or that will never be stored, and why. */
export function openHeld(
  store: (visit: TokenVisit) => Promise<TokenOutcome>,
  clock: Clock,
  onLost: (visit: TokenVisit, reason: unknown) => void,
): Held {
  let waiting: TokenVisit[] = []
  let trying = 0
  let cancel: (() => void) | undefined

  function hold(visit: TokenVisit, reason: unknown): void {
    if (!isOutage(reason) || waiting.length + trying >= MOST_HELD) return onLost(visit, reason)
    waiting.push(visit)
    cancel ??= clock.after(RETRY_MS, () => {
      cancel = undefined
      void tryAgain()
    })
  }

  async function tryAgain(): Promise<void> {
    const visits = waiting
    waiting = []
    trying += visits.length
    await Promise.all(
      visits.map((visit) =>
        store(visit).then(
          () => trying--,
          (reason: unknown) => {
            trying--
            hold(visit, reason)
          },
        ),
      ),
    )
  }

  return {
    async submit(visit) {
      try {
        return await store(visit)
      } catch (error) {
        if (!isOutage(error)) throw error
        hold(visit, error)
        await new Promise<void>((resolve) => clock.after(ANSWER_AFTER_MS, resolve))
        return NOTHING_KNOWN
      }
    },
    size: () => waiting.length + trying,
    async stop() {
      await tryAgain()
      cancel?.()
      return waiting.length
    },
  }
}

const isOutage = (error: unknown): boolean => error instanceof Fault && error.code === 'unavailable'
