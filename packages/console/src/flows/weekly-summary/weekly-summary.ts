// On Mondays at 08:00 the summaries of the week go into the outbox. Every console looks at the clock; a row that is read
// inside the transaction decides, so that a week is summarised once, and late rather than never.
import { CONSOLE } from '@rookery/kernel/ids.ts'
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import type { Tx } from '../../db/query.ts'
import type { FlockWeek, WeeklyPayload } from '../../notify/message/weekly.ts'
import { weeklySummaryReceivers } from '../../notify/active-receivers.ts'
import { newMessageId } from '../../notify/message-id.ts'
import { countBirdsByFlock } from '../../stores/birds/flock-counts.store.ts'
import { addDeliveries } from '../../stores/deliveries/store.ts'
import { listFlocks, type Flock } from '../../stores/flocks/store.ts'
import { unacknowledgedByFlock } from '../../stores/incidents/counts.store.ts'
import { countHappened } from '../../stores/incidents/week.store.ts'
import { markSummarised, summarisedUntil } from '../../stores/notifications/store.ts'
import { lastWeek, type Week } from './calendar.ts'

export interface WeeklySummary {
  /** Resolves once it sleeps. */
  idle(): Promise<void>
}

export interface WeeklySummaryDeps extends Pick<
  AppContext,
  'engine' | 'reader' | 'writer' | 'world' | 'log' | 'background'
> {
  /** Name of the IANA tz database. */
  readonly timeZone: string
  /** Messages were committed. */
  readonly onQueued: () => void
}

/** The clock may be moved and the machine may sleep: no timer runs for a week. */
const LOOK_MS = 600_000
const RETRY_MS = 60_000
const TASK = task('weekly_summaries', LOOK_MS, 'Makes the weekly summaries that are due')

export function openWeeklySummary(deps: WeeklySummaryDeps): WeeklySummary {
  const { engine, reader, writer, world, log, timeZone, onQueued } = deps
  const { clock } = world
  let doneUntil = -Infinity

  async function look(): Promise<number> {
    const week = lastWeek(clock.now(), timeZone)
    if (doneUntil < week.until) {
      const before = await summarisedUntil(reader)
      // A console that starts for the first time has no week to summarise.
      const summaries = before === undefined || before >= week.until ? [] : await prepare(week)
      const queued = await writer.write((tx) => queue(tx, week, summaries))
      doneUntil = week.until
      if (queued > 0) {
        log.info({ summaries: queued, until: new Date(week.until).toISOString() }, 'weekly summaries go out')
        onQueued()
      }
    }
    return Math.min(week.next, clock.now() + LOOK_MS)
  }

  /** One message for each receiver, counted before the transaction: that takes a while. */
  async function prepare(week: Week): Promise<readonly Prepared[]> {
    const receivers = await weeklySummaryReceivers(reader)
    if (receivers.length === 0) return []
    const flocks = await listFlocks(reader, 'all')
    const birds = await countBirdsByFlock(reader)
    const unacknowledged = await unacknowledgedByFlock(reader)
    const isWanted = ({ flock_id: id }: Flock): boolean =>
      receivers.some(({ flock_id: owner }) => owner === CONSOLE || owner === id)
    const weeks: FlockWeek[] = []
    for (const { flock_id: id, name } of flocks.filter(isWanted))
      weeks.push({
        id,
        name,
        ...(await countHappened(engine, id, week.from, week.until)),
        ...(birds.get(id) ?? { birds: 0, live: 0, dead: 0 }),
        unacknowledged: unacknowledged.get(id) ?? 0,
      })
    weeks.sort((a, b) => b.incidents - a.incidents || b.birds - a.birds)
    return receivers.map(({ webhook_id: webhookId, flock_id: owner }) => ({
      webhookId,
      owner,
      payload: {
        from: week.from,
        until: week.until,
        tz: timeZone,
        isWhole: owner === CONSOLE,
        flocks: weeks.filter(({ id }) => owner === CONSOLE || id === owner),
      },
    }))
  }

  async function queue(tx: Tx, week: Week, summaries: readonly Prepared[]): Promise<number> {
    const before = await summarisedUntil(tx.query)
    if (before !== undefined && before >= week.until) return 0
    await markSummarised(tx, week.until)
    if (summaries.length === 0) return 0
    const now = clock.now()
    const first = await tx.updatedIds(summaries.length)
    await addDeliveries(
      tx,
      summaries.map(({ webhookId, owner, payload }, index) => ({
        delivery_id: first + index,
        message_id: newMessageId(world.random),
        webhook_id: webhookId,
        flock_id: owner,
        subject: 'weekly',
        payload: JSON.stringify(payload),
        next_at: now,
        created_at: now,
      })),
    )
    return summaries.length
  }

  const loop = deps.background.loop(TASK, {
    clock,
    run: look,
    onError(error) {
      log.warn({ err: error }, 'cannot make the weekly summaries; retrying in 1 min')
      return RETRY_MS
    },
  })
  loop.wake()
  return { idle: loop.idle }
}

interface Prepared {
  readonly webhookId: string
  readonly owner: string
  readonly payload: WeeklyPayload
}
