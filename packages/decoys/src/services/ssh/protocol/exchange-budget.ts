// When a key exchange of an SSH decoy may begin: each costs some milliseconds of the Bird's one thread.
import { limit } from '@rookery/kernel/limit.ts'
import { steadyTime } from '@rookery/kernel/steady-time.ts'
import type { Crowd } from '../../../session/crowd.ts'

/** The same of one source. */
const PER_SOURCE = limit('ssh_key_exchanges_per_source', 10)
/** Key exchanges that begin in a second; further ones wait for their turn. */
const PER_BIRD = limit('ssh_key_exchanges', 50)
/** Sources whose key exchanges are counted. */
const SOURCES = limit('ssh_key_exchange_sources', 4_096)
/** Exchanges of a second may come at once; those beyond them wait for their turn. */
const BURST_MS = 1_000
/** Nobody is let in whose exchange would wait for longer. */
const MAX_WAIT_MS = 10_000

export interface ExchangeRates {
  /** Exchanges a second. */
  readonly perSource: number
  readonly perBird: number
}

const defaultRates: ExchangeRates = { perSource: PER_SOURCE.max, perBird: PER_BIRD.max }

export function exchangeBudget({ perSource, perBird }: ExchangeRates = defaultRates) {
  /** When all reserved exchanges are over, as if each took its share of a second. The longest untouched come first. */
  const sources = new Map<string, number>()
  // A clock that is set back must not make the decoy refuse everybody until it has caught up.
  const steady = steadyTime()
  const shareMs = { source: 1_000 / perSource, bird: 1_000 / perBird }
  let bird = 0
  /** Of the sources that are too many to be counted apart. */
  let others = 0

  const waitMs = (busyUntil: number, share: number, nowMs: number): number =>
    Math.max(0, Math.ceil(busyUntil + share - nowMs - BURST_MS))

  function hasRoom(source: string, nowMs: number): boolean {
    for (const [key, busyUntil] of sources) {
      if (busyUntil > nowMs) break
      sources.delete(key)
    }
    return sources.has(source) || sources.size < SOURCES.max
  }

  /** When the reserved exchanges are over, and how long one more would wait for them. */
  function queues(source: string, nowMs: number) {
    const isApart = hasRoom(source, nowMs)
    const ofSource = Math.max(nowMs, (isApart ? sources.get(source) : others) ?? 0)
    const ofBird = Math.max(nowMs, bird)
    const waits = {
      source: waitMs(ofSource, shareMs.source, nowMs),
      bird: waitMs(ofBird, shareMs.bird, nowMs),
    }
    return { isApart, ofSource, ofBird, waits, longest: Math.max(waits.source, waits.bird) }
  }

  return {
    /** Milliseconds until the exchange of the source may begin, which is counted now. */
    reserve(source: string, wallMs: number) {
      const { isApart, ofSource, ofBird, waits, longest } = queues(source, steady(wallMs))
      if (!isApart) SOURCES.hit()
      if (waits.source > 0) PER_SOURCE.hit()
      if (waits.bird > 0) PER_BIRD.hit()
      bird = ofBird + shareMs.bird
      if (isApart) {
        sources.delete(source)
        sources.set(source, ofSource + shareMs.source)
      } else others = ofSource + shareMs.source
      return longest
    },
    /** Whether another exchange of the source would wait for too long. Counts none. */
    isFull: (source: string, wallMs: number) => queues(source, steady(wallMs)).longest > MAX_WAIT_MS,
  }
}

export type ExchangeBudget = ReturnType<typeof exchangeBudget>

/**
 * The crowd of a server that takes no newcomer whose key exchange would wait for too long. It refuses at the connection, as
 * sshd does at MaxStartups; those that are in wait for their turn, as at a busy machine. No sshd closes at the exchange.
 */
export const withBudget = (crowd: Crowd, { isFull }: ExchangeBudget): Crowd => ({
  ...crowd,
  refusal: (newcomer) => (isFull(newcomer.source, newcomer.now) ? crowd.full : crowd.refusal(newcomer)),
})
