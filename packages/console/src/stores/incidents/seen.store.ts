// How often the sources of some incidents were seen before, away from the event loop.
import { isIPv6 } from 'node:net'
import { sql, type RawBuilder } from 'kysely'
import { records } from '../../db/records.ts'
import type { Engine } from '../../db/engine.ts'
import { keysOfSource } from './aggregation.ts'
import type { IncidentRow } from './filter.store.ts'

/** Counting goes no further. */
const SEEN_AT_MOST = 1_000

/** Earlier incidents of each one's source, deleted ones too, by incident number; at most 1,000 of each. */
export async function previouslySeen(
  engine: Engine,
  rows: readonly Pick<IncidentRow, 'incident_id' | 'src_host'>[],
): Promise<Map<number, number>> {
  if (rows.length === 0) return new Map()
  const asked = rows.map(({ incident_id, src_host }) => {
    const { from, below } = keysOfSource(src_host)
    return { id: incident_id, lo: from, hi: below, src: isIPv6(src_host) ? src_host : null }
  })
  const earlier = (ofSource: RawBuilder<unknown>): RawBuilder<number> => sql`(
      SELECT count(*) FROM (
        SELECT 1 FROM incident s
        WHERE s.agg_key >= asked.lo AND s.agg_key < asked.hi AND s.incident_id < asked.id ${ofSource}
        LIMIT ${sql.lit(SEEN_AT_MOST)}
      ) AS earlier
    )`
  // The key tells any source but an IPv6 one whole: its incidents are counted in the index alone, no row is looked at.
  const query = sql<{ id: number; n: number }>`
    SELECT asked.id, CASE WHEN asked.src IS NULL
      THEN ${earlier(sql``)}
      ELSE ${earlier(sql`AND s.src_host = asked.src`)}
    END AS n
    FROM ${records(engine.name, 'asked', { id: 'bigint', lo: 'text', hi: 'text', src: 'text' }, asked)}`
  const counted = await engine.longRead(query.compile(engine.reader))
  return new Map(counted.map(({ id, n }) => [id, Number(n)]))
}
