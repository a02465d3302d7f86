// The bodies whose callers have shown a valid key: how much each key holds, and how fast each body comes. A body that stops
// would hold its memory for a minute.
import { Fault } from '@rookery/kernel/fault.ts'
import type { Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { MIN_BODY_RATE, STEADY_BODY_RATE } from '../request-limits.ts'

export interface Body {
  bytes: number
  /** Set while the body waits for its sender. */
  cut: ((fault: Fault) => void) | undefined
}

interface Pace {
  readonly key: string
  readonly cancel: () => void
  /** It came slowly in the last five seconds. */
  isSlow: boolean
}

const SECOND_MS = 1_000
const WATCHED_S = 5

/** `full` is the fault of a body that makes room. */
export function callersBodies(
  clock: Pick<Clock, 'after'>,
  ofKey: Limit,
  full: (bound: Limit, whose?: string) => Fault,
) {
  const bodies = new Map<Body, Pace>()
  const held = new Map<string, number>()

  /** Counts seconds one by one: a second in which this process itself stood still is one, however long. */
  function watch(body: Body, key: string): Pace {
    let seconds = 0
    let before = body.bytes
    let cancel = clock.after(SECOND_MS, tick)
    const pace: Pace = { key, isSlow: false, cancel: () => cancel() }
    function tick(): void {
      cancel = clock.after(SECOND_MS, tick)
      if (++seconds % WATCHED_S > 0) return
      const rate = (body.bytes - before) / WATCHED_S
      before = body.bytes
      pace.isSlow = rate < STEADY_BODY_RATE.max
      if (rate < MIN_BODY_RATE.max) body.cut?.(tooSlow())
    }
    return pace
  }

  function change(key: string, bytes: number): void {
    const now = (held.get(key) ?? 0) + bytes
    if (now > 0) held.set(key, now)
    else held.delete(key)
  }

  /** A slow one leaves, of this key or of any; false when none is. */
  function evictSlow(bound: Limit, key?: string): boolean {
    for (const [body, pace] of bodies) {
      if (!pace.isSlow || !body.cut || (key !== undefined && pace.key !== key)) continue
      body.cut(full(bound, key === undefined ? undefined : 'this key'))
      return true
    }
    return false
  }

  return {
    evictSlow,
    /** From now on its bytes are the key's. */
    add(body: Body, key: string): void {
      if (bodies.has(body)) return
      bodies.set(body, watch(body, key))
      change(key, body.bytes)
    },
    /** The bytes are going to be the body's. */
    grow(body: Body, bytes: number): void {
      const key = bodies.get(body)?.key
      if (key === undefined) return
      while ((held.get(key) ?? 0) + bytes > ofKey.max)
        if (!evictSlow(ofKey, key)) throw full(ofKey, 'this key')
      change(key, bytes)
    },
    remove(body: Body): void {
      const pace = bodies.get(body)
      if (!pace) return
      pace.cancel()
      bodies.delete(body)
      change(pace.key, -body.bytes)
    },
  }
}

function tooSlow(): Fault {
  MIN_BODY_RATE.hit()
  return new Fault(
    'timeout',
    `The body of the request came slower than ${MIN_BODY_RATE.max} bytes a second for ${WATCHED_S} s. Send it again, without pauses.`,
  )
}
