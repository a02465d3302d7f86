// While the disk is full or the database away, a token still answers: its touch waits in memory, within a limit, and counts
// as not durable.
import type { BoundedMap } from '@rookery/kernel/bounded-map.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { TokenOutcome, TokenVisit } from '../flows/ingest/ingest-item.ts'

export interface DiskFullBuffer {
  /**
   * Stores the visit. While that is refused, or takes long, it answers after 2 s as the token answered last, and tries again
   * until the visit is stored.
   */
  submit(visit: TokenVisit): Promise<TokenOutcome>
  /** How many touches wait in memory, those that are being tried again included. */
  size(): number
  /** Tries a last time; answers how many touches are lost. */
  stop(): Promise<number>
}

export interface DiskFullBufferOptions {
  readonly store: (visit: TokenVisit) => Promise<TokenOutcome>
  readonly clock: Clock
  /** What tokens answered since the configuration last changed. */
  readonly outcomes: () => Promise<BoundedMap<string, TokenOutcome>>
  /** Called for a touch for which there is no room, or that will never be stored, with the reason. */
  readonly onLost: (visit: TokenVisit, reason: unknown) => void
}

const ANSWER_AFTER_MS = 2_000
const RETRY_MS = 1_000
const TOUCHES = limit('touches_waiting_for_the_disk', 10_000)
const UNKNOWN_TOKEN: TokenOutcome = { kind: undefined, settings: {} }

export function diskFullBuffer({ store, clock, outcomes, onLost }: DiskFullBufferOptions): DiskFullBuffer {
  let waiting: TokenVisit[] = []
  let retrying = 0
  /** Visits that were answered while they are being stored. */
  let late = 0
  let cancelRetry: (() => void) | undefined

  const size = (): number => waiting.length + retrying + late

  function keep(visit: TokenVisit, reason: unknown): void {
    if (!isOutage(reason)) return onLost(visit, reason)
    if (isFull()) return onLost(visit, reason)
    waiting.push(visit)
    cancelRetry ??= clock.after(RETRY_MS, () => {
      cancelRetry = undefined
      void retryAll()
    })
  }

  function isFull(): boolean {
    if (size() < TOUCHES.max) return false
    TOUCHES.hit()
    return true
  }

  async function retry(visit: TokenVisit): Promise<void> {
    try {
      await store(visit)
      retrying--
    } catch (error) {
      retrying--
      keep(visit, error)
    }
  }

  async function retryAll(): Promise<void> {
    const visits = waiting
    waiting = []
    retrying += visits.length
    await Promise.all(visits.map(retry))
  }

  return {
    async submit(visit) {
      const due = Promise.withResolvers<undefined>()
      const cancel = clock.after(ANSWER_AFTER_MS, () => due.resolve(undefined))
      let isSettled = false
      let isLate = false
      const settle = (): void => {
        isSettled = true
        if (isLate) late--
      }
      const storing = (late < TOUCHES.max ? store(visit) : Promise.reject(tooMany())).then(
        async (outcome) => {
          settle()
          const known = await outcomes()
          known.set(visit.tokenId, outcome)
          return outcome
        },
        (error: unknown) => {
          settle()
          if (!isLate && !isOutage(error)) throw error
          keep(visit, error)
          return due.promise
        },
      )
      const outcome = await Promise.race([storing, due.promise]).finally(cancel)
      if (outcome) return outcome
      if (!isSettled) {
        isLate = true
        late++
      }
      return (await outcomes()).get(visit.tokenId) ?? UNKNOWN_TOKEN
    },
    size,
    async stop() {
      await retryAll()
      cancelRetry?.()
      return waiting.length + late
    },
  }
}

const tooMany = (): Fault => new Fault('unavailable', `${TOUCHES.max} touches wait for the database.`)

const isOutage = (error: unknown): boolean => error instanceof Fault && error.code === 'unavailable'
