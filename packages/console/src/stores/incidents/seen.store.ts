// How often the sources of some incidents were seen before, away from the event loop.
import { isIPv6 } from 'node:net'
import { sql, type RawBuilder } from 'kysely'
import { recordset } from '../../db/recordset.ts'
import type { Engine } from '../../db/engine.ts'
import { keysOfSource } from './aggregation.ts'
import type { IncidentRow } from './filter.store.ts'

/** Counting goes no further. */
const SEEN_AT_MOST = 1_000

type Seen = Pick<IncidentRow, 'incident_id' | 'src_host'>

/** A source that reached the most before one incident had reached it before every later one: that is remembered of so many. */
const MOST_REMEMBERED = 10_000

export interface PreviouslySeen {
  /** Earlier incidents of each one's source, deleted ones too, by incident number; at most so many of each. */
  of(rows: readonly Seen[]): Promise<Map<number, number>>
}

export function openPreviouslySeen(engine: Engine, atMost = SEEN_AT_MOST): PreviouslySeen {
  /** The first incident before which a source is known to have reached the most. */
  const reached = new Map<string, number>()

  return {
    async of(rows) {
      const isReached = ({ src_host, incident_id }: Seen): boolean =>
        incident_id >= (reached.get(src_host) ?? Infinity)
      const seen = await counted(
        engine,
        rows.filter((row) => !isReached(row)),
        atMost,
      )
      for (const row of rows.filter(isReached)) seen.set(row.incident_id, atMost)
      if (reached.size > MOST_REMEMBERED) reached.clear()
      for (const row of rows) {
        if (seen.get(row.incident_id) === atMost && !isReached(row))
          reached.set(row.src_host, row.incident_id)
      }
      return seen
    },
  }
}

async function counted(engine: Engine, rows: readonly Seen[], atMost: number): Promise<Map<number, number>> {
  const bySource = new Map<string, Seen[]>()
  for (const row of rows.toSorted((a, b) => a.incident_id - b.incident_id)) {
    const same = bySource.get(row.src_host)
    if (same) same.push(row)
    else bySource.set(row.src_host, [row])
  }
  // Of a source that stands in several rows, the earlier ones are walked over once for all of them.
  const repeated = [...bySource.values()].filter(({ length }) => length > 1)
  const earlier = await earlierOf(
    engine,
    repeated.flatMap((same) => same.slice(-1)),
    atMost,
  )
  const seen = new Map<number, number>()
  for (const same of repeated) {
    const ids = earlier.get(same.at(-1)?.incident_id ?? 0) ?? []
    for (const { incident_id } of same) {
      const n = ids.reduce((count, id) => (id < incident_id ? count + 1 : count), 0)
      // As long as the walk went to its end, or reached what counts at most, no other incident changes the number.
      if (ids.length < atMost || n === atMost) seen.set(incident_id, n)
    }
  }
  const left = rows.filter(({ incident_id }) => !seen.has(incident_id))
  for (const [id, n] of await countsOf(engine, left, atMost)) seen.set(id, n)
  return seen
}

async function countsOf(engine: Engine, rows: readonly Seen[], atMost: number): Promise<Map<number, number>> {
  if (rows.length === 0) return new Map()
  const query = sql<{ id: number; n: number }>`
    SELECT asked.id, ${ofEach(sql`count(*)`, atMost)} AS n FROM ${asked(engine, rows)}`
  const counted = await engine.longRead(query.compile(engine.reader))
  return new Map(counted.map(({ id, n }) => [id, Number(n)]))
}

async function earlierOf(
  engine: Engine,
  rows: readonly Seen[],
  atMost: number,
): Promise<Map<number, number[]>> {
  if (rows.length === 0) return new Map()
  const list =
    engine.name === 'sqlite' ? sql`json_group_array(incident_id)` : sql`json_agg(incident_id)::text`
  const query = sql<{ id: number; ids: string | null }>`
    SELECT asked.id, ${ofEach(list, atMost)} AS ids FROM ${asked(engine, rows)}`
  const found = await engine.longRead(query.compile(engine.reader))
  return new Map(found.map(({ id, ids }) => [id, JSON.parse(ids ?? '[]') as number[]]))
}

const asked = (engine: Engine, rows: readonly Seen[]): RawBuilder<unknown> =>
  recordset(
    engine.name,
    'asked',
    { id: 'bigint', lo: 'text', hi: 'text', src: 'text' },
    rows.map(({ incident_id, src_host }) => {
      const { from, below } = keysOfSource(src_host)
      return { id: incident_id, lo: from, hi: below, src: isIPv6(src_host) ? src_host : null }
    }),
  )

/** What is made of the earlier incidents of each. The key tells any source but an IPv6 one whole: no row is looked at then. */
function ofEach(what: RawBuilder<unknown>, atMost: number): RawBuilder<unknown> {
  const earlier = (ofSource: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
      SELECT ${what} FROM (
        SELECT s.incident_id FROM incident_fact s
        WHERE s.agg_key >= asked.lo AND s.agg_key < asked.hi AND s.incident_id < asked.id ${ofSource}
        LIMIT ${sql.lit(atMost)}
      ) AS earlier
    )`
  return sql`CASE WHEN asked.src IS NULL
    THEN ${earlier(sql``)}
    ELSE ${earlier(sql`AND s.src_host = asked.src`)}
  END`
}
