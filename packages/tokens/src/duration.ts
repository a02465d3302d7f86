import { byWord } from '@rookery/kernel/by-word.ts'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A month is 30 days, a year 365. */
const UNIT_MS = byWord<number>({
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
  mo: 30 * DAY_MS,
  y: 365 * DAY_MS,
})

/** `30d` as milliseconds, with the units y, mo, w, d, h; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,5})(y|mo|w|d|h)$/.exec(text) ?? []
  const unitMs = UNIT_MS[unit]
  return unitMs === undefined ? undefined : Number(count) * unitMs
}
