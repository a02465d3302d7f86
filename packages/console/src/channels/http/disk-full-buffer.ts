// While the disk is full a token still answers: its touch waits in memory, within a limit, and counts as not durable.
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { TokenOutcome, TokenVisit } from '../../flows/ingest/ingest-item.ts'

export interface DiskFullBuffer {
  /** Stores the visit. While that is refused it answers after 2 s, and tries again until the visit is stored. */
  submit(visit: TokenVisit): Promise<TokenOutcome>
  /** How many touches wait in memory, those that are being tried again included. */
  size(): number
  /** Tries a last time; answers how many touches are lost. */
  stop(): Promise<number>
}

export interface DiskFullBufferOptions {
  readonly store: (visit: TokenVisit) => Promise<TokenOutcome>
  readonly clock: Clock
  /** Called for a touch for which there is no room, or that will never be stored, with the reason. */
  readonly onLost: (visit: TokenVisit, reason: unknown) => void
}

const ANSWER_AFTER_MS = 2_000
const RETRY_MS = 1_000
const TOUCHES = limit('touches_waiting_for_the_disk', 10_000)
const UNKNOWN_TOKEN: TokenOutcome = { kind: undefined, settings: {} }

export function diskFullBuffer({ store, clock, onLost }: DiskFullBufferOptions): DiskFullBuffer {
  let waiting: TokenVisit[] = []
  let retrying = 0
  let cancelRetry: (() => void) | undefined

  function keep(visit: TokenVisit, reason: unknown): void {
    if (!isOutage(reason)) return onLost(visit, reason)
    if (waiting.length + retrying >= TOUCHES.max) {
      TOUCHES.hit()
      return onLost(visit, reason)
    }
    waiting.push(visit)
    cancelRetry ??= clock.after(RETRY_MS, () => {
      cancelRetry = undefined
      void retryAll()
    })
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
      try {
        return await store(visit)
      } catch (error) {
        if (!isOutage(error)) throw error
        keep(visit, error)
        await new Promise<void>((resolve) => clock.after(ANSWER_AFTER_MS, resolve))
        return UNKNOWN_TOKEN
      }
    },
    size: () => waiting.length + retrying,
    async stop() {
      await retryAll()
      cancelRetry?.()
      return waiting.length
    },
  }
}

const isOutage = (error: unknown): boolean => error instanceof Fault && error.code === 'unavailable'
