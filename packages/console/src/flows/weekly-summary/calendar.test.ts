import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastWeek } from './calendar.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Asia/Beirut',
  'Asia/Gaza',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
]
const DAY_MS = 86_400_000

const shown = (at: number, tz: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: tz,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(at)

const iso = (at: number): string => new Date(at).toISOString()

describe('the last week', () => {
  it('ends on a Monday at 08:00 of the zone, holds seven days of its calendar, and comes next after now', () => {
    const anyTime = fc.integer({ min: Date.UTC(2005, 0, 1), max: Date.UTC(2045, 0, 1) })
    fc.assert(
      fc.property(anyTime, fc.constantFrom(...ZONES), (at, tz) => {
        const { from, until, next } = lastWeek(at, tz)
        expect(until).toBeLessThanOrEqual(at)
        expect(next).toBeGreaterThan(at)
        for (const end of [from, until, next]) expect([tz, shown(end, tz)]).toEqual([tz, 'Mon 08:00:00'])
        // Samoa left a day out when it went over the date line.
        for (const week of [until - from, next - until])
          expect(Math.abs(week - 7 * DAY_MS)).toBeLessThanOrEqual(tz === 'Pacific/Apia' ? DAY_MS : 3_600_000)
        expect(lastWeek(until, tz).until).toBe(until)
        expect(lastWeek(until - 1, tz).until).toBe(from)
      }),
      { numRuns: 500 },
    )
  })

  it('is an hour shorter or longer where the clocks changed in it', () => {
    // Berlin: 29 March and 25 October 2026; New York: 8 March and 1 November 2026; Kolkata never.
    const cases: readonly [string, string, string][] = [
      ['Europe/Berlin', '2026-03-23T07:00:00.000Z', '2026-03-30T06:00:00.000Z'],
      ['Europe/Berlin', '2026-10-19T06:00:00.000Z', '2026-10-26T07:00:00.000Z'],
      ['America/New_York', '2026-03-02T13:00:00.000Z', '2026-03-09T12:00:00.000Z'],
      ['America/New_York', '2026-10-26T12:00:00.000Z', '2026-11-02T13:00:00.000Z'],
      ['Asia/Kolkata', '2026-03-23T02:30:00.000Z', '2026-03-30T02:30:00.000Z'],
      ['Asia/Tokyo', '2026-10-18T23:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ]
    for (const [tz, from, until] of cases) {
      const week = lastWeek(Date.parse(until) + 3_600_000, tz)
      expect([tz, iso(week.from), iso(week.until)]).toEqual([tz, from, until])
    }
  })
})
