// Mondays, 08:00 of a time zone, as instants. A day is not always 24 hours, nor a week 168: they are counted on the
// calendar, and only then looked up.
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const AT_HOUR = 8

export interface Week {
  readonly from: number
  readonly until: number
  /** When the next one ends. */
  readonly next: number
}

/** The last week that is over at `at`: from Monday 08:00 to Monday 08:00 of the zone. */
export function lastWeek(at: number, tz: string): Week {
  const day = Math.floor((at + offset(at, tz)) / DAY_MS)
  // Day 0, 1 January 1970, was a Thursday.
  const monday = day - ((day + 3) % 7)
  const last = morning(monday, tz) <= at ? monday : monday - 7
  return { from: morning(last - 7, tz), until: morning(last, tz), next: morning(last + 7, tz) }
}

/** The first instant at which the clocks of the zone show 08:00 of that day; where they leap over it, the leap's width later. */
function morning(day: number, tz: string): number {
  const shown = day * DAY_MS + AT_HOUR * HOUR_MS
  const before = offset(shown - DAY_MS, tz)
  const instants = [before, offset(shown + DAY_MS, tz)].map((by) => shown - by)
  const right = instants.filter((instant) => instant + offset(instant, tz) === shown)
  return right.length > 0 ? Math.min(...right) : shown - before
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** How far the clocks of the zone are ahead of UTC at an instant. */
function offset(at: number, tz: string): number {
  const format =
    formats.get(tz) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: tz,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  formats.set(tz, format)
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}
