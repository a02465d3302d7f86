// Fixed-window counters: how often each key came in a minute, an hour. The window of a key starts with its first count.
import type { Limit } from './limit.ts'

interface Window {
  readonly endsAt: number
  count: number
}

/** At most `keys.max` keys are counted apart at a time; what comes beyond them is counted together, in one window. */
export function windowCounter<K>(keys: Limit, windowMs: number) {
  const windows = new Map<K, Window>()
  let others: Window = { endsAt: -Infinity, count: 0 }

  /** A window that ends later than any can was opened before the clock was set back: it has ended. */
  const live = (window: Window | undefined, nowMs: number): Window | undefined =>
    window && window.endsAt > nowMs && window.endsAt <= nowMs + windowMs ? window : undefined

  /** The windows lie in the order of their end: each starts when it is added, and all are equally long. */
  function forgetEnded(nowMs: number): void {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > nowMs && endsAt <= nowMs + windowMs) return
      windows.delete(key)
    }
  }

  function open(key: K, nowMs: number): Window {
    const fresh = { endsAt: nowMs + windowMs, count: 0 }
    windows.delete(key)
    if (windows.size >= keys.max) forgetEnded(nowMs)
    if (windows.size < keys.max) windows.set(key, fresh)
    else {
      keys.hit()
      return (others = live(others, nowMs) ?? fresh)
    }
    return fresh
  }

  const find = (key: K, nowMs: number): Window | undefined =>
    live(windows.get(key), nowMs) ?? (windows.size >= keys.max ? live(others, nowMs) : undefined)

  return {
    /** Counts one more; answers how many the window of the key holds now, this one included. */
    count: (key: K, nowMs: number) => ++(live(windows.get(key), nowMs) ?? open(key, nowMs)).count,
    /** The same without counting. */
    peek: (key: K, nowMs: number) => find(key, nowMs)?.count ?? 0,
    /** When the window of the key ends, in milliseconds since the epoch; `nowMs` when it has none. */
    endsAt: (key: K, nowMs: number) => find(key, nowMs)?.endsAt ?? nowMs,
  }
}

export type WindowCounter<K> = ReturnType<typeof windowCounter<K>>
