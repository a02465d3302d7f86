// The summary of a week as a message. Pure.
import { std } from '@rookery/kernel/time.ts'
import type { QueuedRow } from '../../stores/deliveries/queue.store.ts'
import type { BirdCounts } from '../../stores/birds/flock-counts.store.ts'
import type { Count, Happened } from '../../stores/incidents/week.store.ts'
import { sanitize } from './sanitize.ts'
import type { Fact, WeeklyMessage } from './message.ts'

/** A Flock's week. */
export interface FlockWeek extends Happened, BirdCounts {
  readonly id: string
  readonly name: string
  readonly unacknowledged: number
}

/** The `payload` of a summary's row. */
export interface WeeklyPayload {
  readonly from: number
  readonly until: number
  readonly tz: string
  /** The summary of the whole console names every Flock. */
  readonly isWhole: boolean
  readonly flocks: readonly FlockWeek[]
}

type Row = Pick<QueuedRow, 'flock_id' | 'flock_name' | 'payload' | 'created_at' | 'reduced'>

const MAX_FLOCKS = 50

export function describeWeekly(row: Row, consoleUrl: string): WeeklyMessage {
  const { from, until, tz, isWhole, flocks } = JSON.parse(row.payload) as WeeklyPayload
  const sum = (of: (flock: FlockWeek) => number): number =>
    flocks.reduce((total, flock) => total + of(flock), 0)
  const shown = flocks.slice(0, MAX_FLOCKS)
  const rest = flocks.length - shown.length
  const reduced = row.reduced === 1
  return {
    subject: 'weekly',
    description: 'Weekly Summary',
    intro:
      `${std(from, tz)} to ${std(until, tz)}: ${counted(
        sum((it) => it.incidents),
        'new incident',
      )}, ` +
      `${sum((it) => it.unacknowledged)} unacknowledged; ${counted(
        sum((it) => it.live),
        'Bird',
      )} live, ` +
      `${sum((it) => it.dead)} offline.`,
    at: until,
    flock: { id: row.flock_id, name: isWhole || reduced ? '' : sanitize(row.flock_name ?? '') },
    consoleUrl,
    reduced,
    sections: reduced
      ? []
      : [
          ...shown.flatMap((flock) => sectionsOf(flock, isWhole ? sanitize(flock.name) : '')),
          ...(rest > 0 ? [{ title: `${counted(rest, 'more Flock')} in the console`, facts: [] }] : []),
        ],
  }
}

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

/** `name` is the Flock's where the message speaks of several. */
function sectionsOf(flock: FlockWeek, name: string): WeeklyMessage['sections'] {
  const unseen = flock.birds - flock.live - flock.dead
  const counts: readonly Fact[] = [
    ['New incidents', String(flock.incidents)],
    ['Unacknowledged incidents', String(flock.unacknowledged)],
    ['Birds live', String(flock.live)],
    ['Birds offline', String(flock.dead)],
    ['Birds never seen', unseen === 0 ? '' : String(unseen)],
  ]
  const of = (title: string): string => (name === '' ? title : `${name}: ${title}`)
  return [
    { title: name, facts: counts.filter(([, value]) => value !== '') },
    { title: of('New incidents'), facts: flock.bySummary.map(asFact) },
    { title: of('Sources of most incidents'), facts: flock.bySource.map(asFact) },
  ].filter(({ facts }) => facts.length > 0)
}

const asFact = ([what, times]: Count): Fact => [sanitize(what), String(times)]
