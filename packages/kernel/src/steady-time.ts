// Time for measuring how long something lasts, taken from a wall clock that may be set back.

/**
 * Answers, for each reading of one wall clock in milliseconds, a time that never goes back. While the clock is only set
 * forward, it is the reading itself. When the clock was set back, it goes on from the last reading: what lay ten seconds
 * ahead then lies ten seconds ahead now. Never to be shown, and never to be compared with that of another one.
 */
export function steadyTime(): (wallMs: number) => number {
  let last = -Infinity
  let aheadMs = 0
  return (wallMs) => {
    if (wallMs + aheadMs < last) aheadMs = last - wallMs
    return (last = wallMs + aheadMs)
  }
}
