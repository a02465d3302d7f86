// Incidents that several addresses share: `many sources`, and those of an IPv6 /64.
import { limit } from '@rookery/kernel/limit.ts'
import { sql } from 'kysely'
import type { Query, Tx } from '../../db/query.ts'
import { recordset } from '../../db/recordset.ts'
import { sourceNetwork } from '../../addresses/source-network.ts'
import { MANY_SOURCES } from './aggregation.ts'
import type { IncidentTables } from './tables.ts'

export type SourceRow = IncidentTables['incident_source']

/** Sources that are stored of one incident; touches of further ones still count as events. */
export const INCIDENT_SOURCES = limit('incident_sources', 100_000)

/** An address that may be new to an incident. */
export type IncidentSource = Pick<SourceRow, 'incident_id' | 'src_host'>

export interface StoredSources {
  /** Those that were asked for and are stored. */
  readonly known: ReadonlySet<string>
  /** How many are stored. */
  readonly count: number
}

/** Whether events of other addresses go into an incident of this source. */
export const isShared = (srcHost: string): boolean =>
  srcHost === MANY_SOURCES || sourceNetwork(srcHost) !== srcHost

/** By incident, which of these addresses are stored. Two look-ups in an index for each address. */
export async function loadSources(
  tx: Tx,
  asked: readonly IncidentSource[],
): Promise<Map<number, StoredSources>> {
  if (asked.length === 0) return new Map()
  const rows = recordset(tx.engine, 'asked', { incident_id: 'bigint', src_host: 'text' }, asked)
  const found = await sql<IncidentSource & { readonly count: number | null; readonly nth: number | null }>`
    SELECT asked.incident_id, asked.src_host,
      (SELECT max(s.nth) FROM incident_source s WHERE s.incident_id = asked.incident_id) AS count,
      (SELECT s.nth FROM incident_source s
       WHERE s.src_host = asked.src_host AND s.incident_id = asked.incident_id) AS nth
    FROM ${rows}`.execute(tx.query)
  const sources = new Map<number, { readonly known: Set<string>; readonly count: number }>()
  for (const { incident_id, src_host, count, nth } of found.rows) {
    const of = sources.get(incident_id) ?? { known: new Set(), count: Number(count ?? 0) }
    if (nth !== null) of.known.add(src_host)
    sources.set(incident_id, of)
  }
  return sources
}

export const insertSources = (tx: Tx, rows: readonly SourceRow[]): Promise<void> =>
  tx.insertMany('incident_source', rows)

/** The incidents that a source shares with others, for `incident_id IN (…)`. */
export const sharedWith = (srcHost: string) =>
  sql`SELECT incident_id FROM incident_source WHERE src_host = ${srcHost}`

export interface FirstSources {
  readonly first: readonly string[]
  readonly count: number
}

/** The first sources of a shared incident, and how many it has. */
export async function firstSources(
  db: Query,
  { incident_id, src_host }: IncidentSource,
  most: number,
): Promise<FirstSources> {
  const own = src_host === MANY_SOURCES ? [] : [src_host]
  const rows = await db
    .selectFrom('incident_source')
    .select('src_host')
    .where('incident_id', '=', incident_id)
    .orderBy('nth')
    .limit(most)
    .execute()
  const { count } = await db
    .selectFrom('incident_source')
    .select((e) => e.fn.max<number | null>('nth').as('count'))
    .where('incident_id', '=', incident_id)
    .executeTakeFirstOrThrow()
  return {
    first: [...own, ...rows.map((row) => row.src_host)].slice(0, most),
    count: own.length + Number(count ?? 0),
  }
}
