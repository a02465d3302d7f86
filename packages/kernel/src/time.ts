// The spellings of an instant that clients match (specification 1.5). Instants are milliseconds UTC.
import { Fault, invalidParameter } from './fault.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function format(tz: string): Intl.DateTimeFormat {
  const known = formats.get(tz)
  if (known) return known
  let made: Intl.DateTimeFormat
  try {
    made = new Intl.DateTimeFormat('en-GB', {
      timeZone: tz,
      hourCycle: 'h23',
      weekday: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      timeZoneName: 'longOffset',
    })
  } catch {
    throw new Fault('bad-input', `Unknown time zone: ${tz}`, {
      details: { tz: 'must be a name of the IANA tz database, such as Europe/Berlin' },
    })
  }
  if (formats.size > 600) formats.clear()
  formats.set(tz, made)
  return made
}

type Fields = Record<Intl.DateTimeFormatPartTypes, string>

function fields(atMs: number, tz: string): Fields {
  const found = {} as Fields
  for (const { type, value } of format(tz).formatToParts(atMs)) found[type] = value
  return found
}

const offset = ({ timeZoneName }: Fields): string => timeZoneName.slice(3).replace(':', '') || '+0000'

/** Throws `bad-input` unless `tz` names a time zone. */
export function checkTimeZone(tz: string): void {
  format(tz)
}

/** `2026-11-20 09:39:02 UTC+0000` in the given zone. */
export function std(atMs: number, tz = 'UTC'): string {
  if (tz === 'UTC') return `${localTime(atMs)} UTC+0000`
  const f = fields(atMs, tz)
  return `${f.year}-${f.month}-${f.day} ${f.hour}:${f.minute}:${f.second} UTC${offset(f)}`
}

/** `Fri, 20 Nov 2026 09:39:02 GMT` (RFC 9110, 5.6.7). */
export function httpDate(atMs: number): string {
  const clock = clockOf(atMs)
  return `${httpDay} ${clock} GMT`
}

/** `Tue Apr 14 2026 22:11:18 GMT+0000 (UTC)`. */
export function printable(atMs: number): string {
  const [weekday, day, month, year, time] = new Date(atMs).toUTCString().replace(',', '').split(' ')
  return `${weekday} ${month} ${day} ${year} ${time} GMT+0000 (UTC)`
}

/** `2026-04-08 09:39:01`, UTC. */
export function localTime(atMs: number): string {
  const clock = clockOf(atMs)
  return `${day} ${clock}`
}

/** Whole seconds since the epoch. */
export const epoch = (atMs: number): number => Math.floor(atMs / 1000)

/** Whole seconds since the epoch, in digits. */
export function epochText(atMs: number): string {
  const seconds = epoch(atMs)
  return seconds < 1_000 ? String(seconds) : `${Math.floor(seconds / 1_000)}${THREE[seconds % 1_000]}`
}

// A list spells the seconds of a million incidents. A day is spelled once for all of it that follow, and the digits come from
// tables: the engine remembers the text of any other number for a while, and what it forgets has grown old by then.
const DAY_MS = 86_400_000
const TWO = digits(60, 2)
const THREE = digits(1_000, 3)
let knownDay = Number.NaN
let day = ''
let httpDay = ''

/** `09:39:02`, UTC; spells the day, too. */
function clockOf(atMs: number): string {
  const days = Math.floor(atMs / DAY_MS)
  if (days !== knownDay) {
    const midnight = new Date(days * DAY_MS)
    day = midnight.toISOString().slice(0, 10)
    httpDay = midnight.toUTCString().slice(0, 16)
    knownDay = days
  }
  const seconds = epoch(atMs - days * DAY_MS)
  return `${TWO[Math.floor(seconds / 3_600)]}:${TWO[Math.floor(seconds / 60) % 60]}:${TWO[seconds % 60]}`
}

function digits(upTo: number, length: number): string[] {
  return Array.from({ length: upTo }, (_, n) => String(n).padStart(length, '0'))
}

const UNITS: readonly [string, number][] = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** `16 seconds`, `5 hours`, `1 week`: the largest whole unit. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  for (const [name, size] of UNITS) {
    const n = Math.floor(seconds / size)
    if (n >= 1) return `${n} ${name}${n === 1 ? '' : 's'}`
  }
  return '0 seconds'
}

/** Day; then perhaps a time, and a zone or none. */
const LIST_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[-Tt](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+ -]\d{2}:?\d{2})?)?$/
/** Fewer digits are a year, or a day without its hyphens; more of them are milliseconds. */
const EPOCH = /^(?:0|\d{9,11})(?:\.\d{1,9})?$/

/**
 * Reads `yyyy-mm-dd-hh:mm:ss`, ISO 8601, both UTC where no zone is named, or seconds since 1970; anything else, or a day that no
 * calendar has, is a `bad-input`.
 */
export function parseListTime(text: string, parameter: string): number {
  const at = EPOCH.test(text) ? Math.round(Number(text) * 1_000) : calendarTime(text)
  if (at !== undefined) return at
  throw invalidParameter(
    parameter,
    `must be a time like 2026-11-20-09:39:02, 2026-11-20T09:39:02Z or 1795167542 (seconds since 1970), not ${JSON.stringify(text.slice(0, 40))}`,
  )
}

function calendarTime(text: string): number | undefined {
  const match = LIST_TIME.exec(text)
  if (!match) return undefined
  const [, day = '', time = '00:00:00', zone = 'Z'] = match
  // A plus that was not encoded comes out of a query as a blank.
  const plain = zone
    .toUpperCase()
    .replace(' ', '+')
    .replace(/^(...)(\d\d)$/, '$1:$2')
  const at = Date.parse(`${day}T${time}${plain}`)
  const isDay = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  return Number.isNaN(at) || !isDay ? undefined : at
}

const SPAN = /^(\d{1,6})([hdw])$/
const SPAN_MS = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Reads `<n>h|d|w` into milliseconds. */
export function parseSpan(text: string, parameter: string): number {
  const match = SPAN.exec(text)
  if (!match) {
    throw invalidParameter(
      parameter,
      `must be a number with h, d or w behind it, such as 5h, not ${JSON.stringify(text.slice(0, 40))}`,
    )
  }
  return Number(match[1]) * SPAN_MS[match[2] as keyof typeof SPAN_MS]
}

/** Strictly after a second, as clients see creation in whole seconds; strictly after the moment where it has a fraction. */
export const afterSecond = (atMs: number): number => (atMs % 1_000 === 0 ? atMs + 999 : atMs)
