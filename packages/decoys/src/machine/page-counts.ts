// What a printer has counted since it was first used. Nothing is stored: it follows from the Bird's seed and the time, and goes on
// while the Bird itself restarts.
import { draw, type Derive } from './draw.ts'

/** Pages; `jams` are how often paper was stuck, `drumLeft` is the percentage of the drum's life. */
export interface PageCounts {
  readonly prints: number
  readonly copies: number
  readonly faxes: number
  readonly jams: number
  readonly drumLeft: number
}

/** Pages in a thousand half hours of work, from least to most. */
const RATES = { prints: [500, 1_200], copies: [100, 300], faxes: [20, 100] } as const

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SLOT_MS = HOUR_MS / 2
/** People print from 8 to 18 o'clock UTC, Monday to Friday. */
const OPENS_MS = 8 * HOUR_MS
const SLOTS_A_DAY = 20
/** The first Monday of 1970 less a week: day 0 was a Thursday. */
const DAYS_SINCE_MONDAY = 3

const FIRST_SALE = Date.UTC(2012, 0, 2)
const MAX_DAYS = 1_500
/** The user's guide of the Brother MFC-8860DN names 25,000 pages. */
const DRUM_PAGES = 25_000

/** `now` in milliseconds UTC. No count ever falls, but what is left of a drum, until people change it. */
export function pageCounts(derive: Derive, now: number): PageCounts {
  const { between } = draw(derive, 'machine/printer')
  const firstUsedAt = FIRST_SALE + between(0, MAX_DAYS) * DAY_MS
  const drumPhase = between(0, DRUM_PAGES - 1)
  const pagesAJam = between(1_200, 2_600)
  const slots = Math.max(0, slotsWorked(now) - slotsWorked(firstUsedAt))
  const count = (kind: keyof typeof RATES): number => {
    const [least, most] = RATES[kind]
    const rate = between(least, most) / 1_000
    // Each slot ends at another place of itself, so that some hours are busier than others.
    return Math.floor(rate * (slots + derive(`machine/printer/${kind}/${slots}`, 4).readUInt32BE() / 2 ** 32))
  }
  const [prints, copies, faxes] = [count('prints'), count('copies'), count('faxes')]
  const pages = prints + copies + faxes
  return {
    prints,
    copies,
    faxes,
    jams: Math.floor(pages / pagesAJam),
    drumLeft: 100 - Math.floor((((pages + drumPhase) % DRUM_PAGES) * 100) / DRUM_PAGES),
  }
}

/** Half hours in which people worked, since 1970. */
function slotsWorked(at: number): number {
  const days = Math.floor(at / DAY_MS) + DAYS_SINCE_MONDAY
  const weekday = days % 7
  const workdays = Math.floor(days / 7) * 5 + Math.min(weekday, 5)
  const slots = Math.floor(((at % DAY_MS) - OPENS_MS) / SLOT_MS)
  return workdays * SLOTS_A_DAY + (weekday < 5 ? Math.min(Math.max(slots, 0), SLOTS_A_DAY) : 0)
}
