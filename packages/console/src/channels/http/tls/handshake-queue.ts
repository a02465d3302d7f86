// Which TLS handshakes go on: each costs up to a millisecond of the one thread, and some ten KiB of OpenSSL's. What is too much
// waits; the sources take turns, so that one with many connections holds up nobody else.
import { limit, type Limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'

export interface Handshake {
  readonly begin: () => void
  /** Called when it has begun and makes room for others. */
  readonly close: () => void
}

export interface HandshakeQueue {
  /**
   * Calls `begin` at once, or when it is the source's turn; a source of `undefined` stands for many, and has no bound of its
   * own. Answers what is called when the handshake is over or its client gone; undefined, and `begin` is never called, when
   * too many wait.
   */
  enter(source: string | undefined, handshake: Handshake): (() => void) | undefined
}

/** The same of one source. */
const PER_SOURCE = limit('token_tls_handshakes_per_source', 50)
/** Handshakes that begin in a second, a few at a time; further ones wait for their turn. */
const IN_ALL = limit('token_tls_handshakes', 200)
/** Sources whose handshakes are counted. */
const SOURCES = limit('token_tls_handshake_sources', 4_096)
/** One counter for all handshakes. */
const TOTALS = limit('token_tls_handshake_totals', 1)
/** Handshakes that wait for their turn. */
const WAITING = limit('token_tls_handshakes_waiting', 1_000)
/** Handshakes that have begun and are not over. */
const UNFINISHED = limit('token_tls_handshakes_unfinished', 200)
/** A client that needs longer makes room: its second flight comes after a round trip. */
const MAKES_ROOM_MS = 1_000
const SECOND_MS = 1_000
/** A second's share that begins at once would keep tokens waiting for a tenth of a second. */
const SLICE_MS = 20
const SLICE_SHARE = (IN_ALL.max * SLICE_MS) / SECOND_MS

export function openHandshakeQueue(clock: Clock): HandshakeQueue {
  const bySource = windowCounter<string>(SOURCES, SECOND_MS)
  const inAll = windowCounter<'all'>(TOTALS, SLICE_MS)
  const waiting = openTurns<Handshake>()
  /** Since when, oldest first. */
  const unfinished = new Map<Handshake, number>()
  let isLooking = false

  /** The bound that is met; undefined where the source may begin, which is counted then. */
  function boundOf(source: string | undefined, now: number): Limit | undefined {
    if (source !== undefined && bySource.peek(source, now) >= PER_SOURCE.max) return PER_SOURCE
    if (inAll.peek('all', now) >= SLICE_SHARE) return IN_ALL
    if (unfinished.size >= UNFINISHED.max && !makeRoom(now)) return UNFINISHED
    if (source !== undefined) bySource.count(source, now)
    inAll.count('all', now)
    return undefined
  }

  function makeRoom(now: number): boolean {
    const [oldest] = unfinished
    if (!oldest || now - oldest[1] < MAKES_ROOM_MS) return false
    UNFINISHED.hit()
    unfinished.delete(oldest[0])
    oldest[0].close()
    return true
  }

  /** Answers what keeps it from beginning. */
  function tryToBegin(source: string | undefined, handshake: Handshake): Limit | undefined {
    const now = clock.now()
    const met = boundOf(source, now)
    if (met) return met
    unfinished.set(handshake, now)
    handshake.begin()
    return undefined
  }

  function look(): void {
    waiting.each((source, handshake) => {
      const met = tryToBegin(source, handshake)
      return met === undefined ? 'taken' : met === PER_SOURCE ? 'next source' : 'stop'
    })
    isLooking = waiting.size() > 0
    if (isLooking) clock.after(SLICE_MS, look)
  }

  return {
    enter(source, handshake) {
      // Who comes later does not overtake those of the same source.
      const met = waiting.has(source) ? PER_SOURCE : tryToBegin(source, handshake)
      const end = (): void => {
        unfinished.delete(handshake)
      }
      if (!met) return end
      met.hit()
      if (waiting.size() >= WAITING.max) {
        WAITING.hit()
        return undefined
      }
      const leave = waiting.add(source, handshake)
      if (!isLooking) clock.after(SLICE_MS, look)
      isLooking = true
      return () => {
        leave()
        end()
      }
    },
  }
}

type Turn = 'taken' | 'next source' | 'stop'

/** Those who wait, by their source; the sources take turns. */
function openTurns<T>() {
  const sources = new Map<string | undefined, Set<T>>()
  let size = 0

  function remove(source: string | undefined, item: T): void {
    const items = sources.get(source)
    if (!items?.delete(item)) return
    size--
    if (items.size === 0) sources.delete(source)
  }

  /** Gives each source one turn; answers whether any was taken and none said stop. */
  function round(take: (source: string | undefined, item: T) => Turn): boolean {
    let isAnyTaken = false
    for (const [source, items] of [...sources]) {
      const [first] = items
      if (first === undefined) continue
      const turn = take(source, first)
      if (turn === 'stop') return false
      if (turn === 'next source') continue
      isAnyTaken = true
      remove(source, first)
      // Its next turn comes after those of the others.
      if (sources.delete(source)) sources.set(source, items)
    }
    return isAnyTaken
  }

  return {
    size: () => size,
    has: (source: string | undefined) => sources.has(source),
    /** Answers what removes it again. */
    add(source: string | undefined, item: T): () => void {
      const items = sources.get(source) ?? new Set()
      sources.set(source, items.add(item))
      size++
      return () => remove(source, item)
    },
    /** Offers the first of each source in turn, until `take` stops or nothing is taken any more. */
    each(take: (source: string | undefined, item: T) => Turn): void {
      while (round(take));
    },
  }
}
