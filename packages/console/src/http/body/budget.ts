// The memory of all request bodies together. What strangers send counts against a part of it, so that they cannot fill it.
// When that part is full, the oldest unfinished body of the source that holds most of it makes room, never the newcomer. A key
// has its part, too, and a part is left to short bodies; where room is short, a body that comes slowly makes it.
import { Fault } from '@rookery/kernel/fault.ts'
import { type Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { youngGarbage } from '@rookery/kernel/young-garbage.ts'
import { openReadRate } from '../../admission/read-rate.ts'
import {
  ALL_BODY_BYTES,
  EVICTED_BYTES_PER_SECOND,
  KEY_BODY_BYTES,
  KEY_BYTES,
  KEY_SECONDS,
  SHORT_BODY_BYTES,
  UNKNOWN_BODY_BYTES,
} from '../request-limits.ts'
import { callersBodies, type Body } from './callers-bodies.ts'

export interface BodyBudget {
  /** For one body, of this IPv4 address or IPv6 /64. */
  open(source: string): BodyShare
  /** Bytes that are in memory now. */
  used(): number
}

export interface BodyShare {
  /** Counts bytes that were read; throws `unavailable` when there is no room for them. */
  take(bytes: number): void
  /**
   * The body waits for its sender, until the answer is called. `cut` is called at most once: where no key came in time, or
   * a body with one comes too slowly (`timeout`), or the body makes room for others (`unavailable`). Its bytes count no
   * longer then.
   */
  waits(cut: (fault: Fault) => void): () => void
  /**
   * Resolves when a body that made room may be answered. Hundreds that were answered at once would come back at once, and
   * hold everyone else up.
   */
  leavesInTurn(): Promise<void>
  /** The key of the caller is valid: the bytes count as this key's from now on, no longer as a stranger's. */
  known(keyId: string): void
  /** Gives everything back; may be called twice. */
  release(): void
}

const RETRY_AFTER_S = 2
/** Buffers of refused bodies are garbage outside V8's heap. */
const COLLECT_EVERY_BYTES = 2 * 1024 * 1024

const BOUNDS = {
  total: ALL_BODY_BYTES,
  unknown: UNKNOWN_BODY_BYTES,
  ofKey: KEY_BODY_BYTES,
  leftToShort: SHORT_BODY_BYTES,
}

export function openBodyBudget(
  clock: Pick<Clock, 'after'>,
  bounds: Partial<Readonly<Record<keyof typeof BOUNDS, Limit>>> = {},
): BodyBudget {
  const { total, unknown, ofKey, leftToShort } = { ...BOUNDS, ...bounds }
  let used = 0
  const callers = callersBodies(clock, ofKey, full)
  const collect = youngGarbage(COLLECT_EVERY_BYTES)
  const strangers = strangersBodies(unknown)
  const evicted = openReadRate(clock, EVICTED_BYTES_PER_SECOND)

  /** Room for a body that is so long then. */
  function makeRoom(bytes: number, length: number): void {
    const most = length > KEY_BYTES.max ? total.max - leftToShort.max : total.max
    while (used + bytes > most) if (!callers.evictSlow(total) && !strangers.evictOne()) throw full(total)
  }

  return {
    used: () => used,
    open(source) {
      const body: Body = { bytes: 0, cut: undefined }
      let isKnown = false
      let cancelExpiry: (() => void) | undefined

      function leaveStrangers(): void {
        isKnown = true
        cancelExpiry?.()
        strangers.remove(source, body)
      }
      function release(): void {
        leaveStrangers()
        callers.remove(body)
        body.cut = undefined
        used -= body.bytes
        body.bytes = 0
      }

      return {
        take(bytes) {
          makeRoom(bytes, body.bytes + bytes)
          callers.grow(body, bytes)
          if (!isKnown) {
            strangers.add(source, body, bytes)
            collect(bytes)
          }
          used += bytes
          body.bytes += bytes
        },
        waits(cut) {
          body.cut = (fault) => {
            release()
            cut(fault)
          }
          if (!isKnown) cancelExpiry ??= clock.after(KEY_SECONDS.max * 1_000, () => body.cut?.(late()))
          return () => void (body.cut = undefined)
        },
        leavesInTurn: () =>
          new Promise((resolve) => {
            evicted.wait(() => {
              evicted.count(KEY_BYTES.max)
              resolve()
            })
          }),
        known(keyId) {
          leaveStrangers()
          callers.add(body, keyId)
        },
        release,
      }
    },
  }
}

interface Source {
  bytes: number
  /** Oldest first. */
  readonly bodies: Set<Body>
}

/** The bodies without a key, by their sources. */
function strangersBodies(bound: Limit) {
  const sources = new Map<string, Source>()
  let used = 0

  /** False when no body waits for its sender. */
  function evictOne(): boolean {
    let most = 0
    let oldest: Body | undefined
    for (const { bytes, bodies } of sources.values()) {
      const waiting = bytes > most && bodies.values().find(({ cut }) => cut)
      if (waiting) [most, oldest] = [bytes, waiting]
    }
    if (!oldest) return false
    oldest.cut?.(full(bound))
    return true
  }

  return {
    evictOne,
    /** The bytes are going to be the body's. */
    add(name: string, body: Body, bytes: number): void {
      while (used + bytes > bound.max) if (!evictOne()) throw full(bound)
      const source = sources.get(name) ?? { bytes: 0, bodies: new Set() }
      sources.set(name, source)
      source.bodies.add(body)
      source.bytes += bytes
      used += bytes
    },
    remove(name: string, body: Body): void {
      const source = sources.get(name)
      if (!source?.bodies.delete(body)) return
      source.bytes -= body.bytes
      used -= body.bytes
      if (source.bodies.size === 0) sources.delete(name)
    },
  }
}

function full(bound: Limit, whose = 'all requests'): Fault {
  bound.hit()
  return new Fault(
    'unavailable',
    `The bodies of ${whose} take ${bound.max} bytes, which is the most. Try again in ${RETRY_AFTER_S} s.`,
    { retryAfterS: RETRY_AFTER_S },
  )
}

function late(): Fault {
  KEY_SECONDS.hit()
  return new Fault('timeout', `The body of the request showed no key within ${KEY_SECONDS.max} seconds.`)
}
