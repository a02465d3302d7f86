// How long incidents waited until somebody acknowledged them; in the reading thread, as searches are.
import { sql } from 'kysely'
import type { Engine } from '../../db/engine.ts'
import { openReading, scan, type Search } from './search.store.ts'

export interface AcknowledgeTimes {
  /** Acknowledged ones of which the time is known. */
  readonly count: number
  /** Of these, half and 95 of 100 took at most so many seconds; undefined where there are none. */
  readonly medianS: number | undefined
  readonly p95S: number | undefined
}

export async function timesToAcknowledge(
  engine: Engine,
  { scope, filter }: Search,
): Promise<AcknowledgeTimes> {
  const bySecond = scan(engine, { scope, filter: { ...filter, acknowledged: 1 } })
    .where('acknowledged_at', 'is not', null)
    .select([sql<number>`(acknowledged_at - created_at) / 1000`.as('s'), sql<number>`count(*)`.as('n')])
    .groupBy('s')
  const query = engine.reader
    .with('by_second', () => bySecond)
    .with('ranked', (db) =>
      db
        .selectFrom('by_second')
        .select([
          's',
          sql<number>`sum(n) OVER (ORDER BY s)`.as('until'),
          sql<number>`sum(n) OVER ()`.as('total'),
        ]),
    )
    .selectFrom('ranked')
    .select([
      sql<number | null>`max(total)`.as('total'),
      sql<number | null>`min(CASE WHEN until * 2 >= total THEN s END)`.as('median'),
      sql<number | null>`min(CASE WHEN until * 100 >= total * 95 THEN s END)`.as('p95'),
    ])
  const [row] = await openReading(engine)(query.compile())
  // A clock that was set back is no time travel.
  const seconds = (s: number | null = null) => (s === null ? undefined : Math.max(0, Number(s)))
  return { count: Number(row?.total ?? 0), medianS: seconds(row?.median), p95S: seconds(row?.p95) }
}
