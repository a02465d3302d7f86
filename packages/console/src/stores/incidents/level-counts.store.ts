// Counts of incidents by level, for a plot over time and for the summaries of Flocks; in the reading thread, as searches are.
import { sql, type RawBuilder } from 'kysely'
import type { Level } from '@rookery/kernel/logtype.ts'
import type { Engine } from '../../db/engine.ts'
import { withinTime } from '../../db/time-limit.ts'
import { logtypeOf } from '../../logtypes.ts'
import { stateConditions } from './filter.store.ts'
import { openReading, scan, type Search } from './search.store.ts'

export type LevelCounts = Record<Level, number>

export const noCounts = (): LevelCounts => ({ used: 0, tried: 0, looked: 0, house: 0 })

/** By number of the column since 1970; columns without a match are missing. */
export const countOverTime = (
  engine: Engine,
  search: Search,
  columnMs: number,
): Promise<Map<number, LevelCounts>> =>
  byLevel(engine, scan(engine, search), sql<number>`created_at / ${sql.lit(columnMs)}`)

/** `open`, or what the acknowledged ones turned out to be, as was last said: a verdict, or `none`. */
export const countByVerdict = (engine: Engine, search: Search): Promise<Map<string, LevelCounts>> =>
  byLevel(
    engine,
    scan(engine, search),
    sql<string>`CASE WHEN acknowledged = 0 THEN 'open' ELSE coalesce((
      SELECT verdict FROM incident_comment AS said
      WHERE said.incident_id = incident_state.incident_id AND verdict IS NOT NULL
      ORDER BY at DESC LIMIT 1), 'none') END`,
  )

/** Unacknowledged incidents of these Flocks; a Flock without any is missing. Named, each is found by an index. */
export const openByFlock = (engine: Engine, flockIds: readonly string[]): Promise<Map<string, LevelCounts>> =>
  byLevel(
    engine,
    engine.reader
      .selectFrom('incident_state')
      .where((e) =>
        e.and([
          ...stateConditions(flockIds, { acknowledged: 0 }, 'any'),
          withinTime(engine.name, 'incident_id'),
        ]),
      ),
    sql<string>`flock_id`,
  )

/** Counts by text before it looks up the logtype: there are few texts. */
async function byLevel<K extends number | string>(
  engine: Engine,
  matches: ReturnType<typeof scan>,
  key: RawBuilder<K>,
): Promise<Map<K, LevelCounts>> {
  const counted = matches
    .select([key.as('key'), 'text_id', sql<number>`count(*)`.as('n')])
    .groupBy(['key', 'text_id'])
  const query = engine.reader
    .with('counted', () => counted)
    .selectFrom('counted')
    // An inner join may begin at the table of texts, and read all of it.
    .leftJoin('search_text', 'search_text.text_id', 'counted.text_id')
    .select(['counted.key', 'search_text.logtype', sql<number>`sum(counted.n)`.as('n')])
    .groupBy(['counted.key', 'search_text.logtype'])
  const counts = new Map<K, LevelCounts>()
  const rows = (await openReading(engine)(query.compile())) as readonly {
    key: K
    logtype: string | null
    n: number
  }[]
  for (const { key: at, logtype, n } of rows) {
    const levels = counts.get(at) ?? noCounts()
    levels[logtypeOf(logtype ?? '').level ?? 'house'] += Number(n)
    counts.set(at, levels)
  }
  return counts
}
