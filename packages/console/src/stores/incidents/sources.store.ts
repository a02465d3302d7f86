// Sources: how many incidents each had before a given one, and its history. Both are long reads.
import { isIPv6 } from 'node:net'
import { sql, type RawBuilder } from 'kysely'
import { recordset } from '../../db/recordset.ts'
import type { Engine } from '../../db/engine.ts'
import { noTextIndex } from '../../db/planner.ts'
import type { Scope } from '../../db/query.ts'
import { keysOfSource } from './aggregation.ts'
import { nonEmpty, type IncidentRow } from './filter.store.ts'
import { sharedWith } from './shared.store.ts'

/** Counting stops here. */
const SEEN_AT_MOST = 1_000

type Seen = Pick<IncidentRow, 'incident_id' | 'src_host'>

/** Cached sources: one that reached the most before an incident has reached it before every later one. */
const MAX_CACHED = 10_000

export interface PreviouslySeen {
  /** By incident number: how many earlier incidents its source has, deleted ones included, up to the most that count. */
  of(rows: readonly Seen[]): Promise<Map<number, number>>
}

export function openPreviouslySeen(engine: Engine, atMost = SEEN_AT_MOST): PreviouslySeen {
  /** By source: the first incident before which the source had reached the most. */
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
      if (reached.size > MAX_CACHED) reached.clear()
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
  // For a source in several rows, one read of its earlier incidents serves all of them.
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
      // The number is exact if the read was not cut by LIMIT, or if it is the most that counts.
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

/** An aggregate over the earlier incidents of each. Only IPv6 needs the row: its key has the /64, not the address. */
function ofEach(what: RawBuilder<unknown>, atMost: number): RawBuilder<unknown> {
  const earlier = (ofSource: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
      SELECT ${what} FROM (
        SELECT s.incident_id FROM incident_fact s ${ofSource}
        WHERE s.agg_key >= asked.lo AND s.agg_key < asked.hi AND s.incident_id < asked.id
        LIMIT ${sql.lit(atMost)}
      ) AS earlier
    )`
  return sql`CASE WHEN asked.src IS NULL
    THEN ${earlier(sql``)}
    ELSE ${earlier(sql`JOIN incident_state i ON i.incident_id = s.incident_id AND i.src_host = asked.src`)}
  END`
}

export interface HistoryFilter {
  readonly srcHost?: string
  readonly flockId?: string
}

/** Where a page of a history ends. */
export type HistoryPosition = Pick<IncidentRow, 'created_at' | 'incident_id'>

/** The newest incidents of a source, or of all sources, before a position, newest first; deleted ones included. */
export async function sourceHistory(
  engine: Engine,
  scope: Scope,
  { srcHost, flockId }: HistoryFilter,
  { before, limit }: { readonly before?: HistoryPosition; readonly limit: number },
): Promise<HistoryPosition[]> {
  const { reader } = engine
  let q = reader.selectFrom('incident_state').select(['created_at', 'incident_id'])
  if (srcHost !== undefined) q = q.where(sql<boolean>`incident_id IN (${ofSource(srcHost)})`)
  if (scope !== 'all') q = q.where(noTextIndex('flock_id'), 'in', nonEmpty(scope))
  if (flockId !== undefined) q = q.where(noTextIndex('flock_id'), '=', flockId)
  if (before)
    q = q.where(sql<boolean>`(created_at, incident_id) < (${before.created_at}, ${before.incident_id})`)
  const newest = q.orderBy('created_at', 'desc').orderBy('incident_id', 'desc').limit(limit)
  return engine.longRead(newest.compile())
}

/** The source's own incidents (one range of `incident_by_key`), and those that it shares. */
function ofSource(srcHost: string): RawBuilder<unknown> {
  const { from, below } = keysOfSource(srcHost)
  return sql`SELECT f.incident_id FROM incident_fact f JOIN incident_state s ON s.incident_id = f.incident_id
    WHERE f.agg_key >= ${from} AND f.agg_key < ${below} AND s.src_host = ${srcHost}
    UNION ${sharedWith(srcHost)}`
}
