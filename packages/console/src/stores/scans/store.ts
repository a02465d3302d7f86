// Port scans by source and Bird, as far as they may still be part of one over several Birds.
import { limit } from '@rookery/kernel/limit.ts'
import type { Tx } from '../../db/query.ts'
import type { ScanTables } from './tables.ts'

export type BirdScan = ScanTables['bird_scan']

/** Scans that are compared with those of a batch; the newest count. */
const COMPARED = limit('bird_scans_compared', 4_096)

/** The scans of these sources after that time. */
export async function loadScans(tx: Tx, sources: readonly string[], since: number): Promise<BirdScan[]> {
  const rows = await tx.query
    .selectFrom('bird_scan')
    .selectAll()
    .where('source', 'in', [...sources])
    .where('seen_at', '>', since)
    .orderBy('seen_at', 'desc')
    .limit(COMPARED.max)
    .execute()
  if (rows.length === COMPARED.max) COMPARED.hit()
  return rows
}

export const storeScans = (tx: Tx, scans: readonly BirdScan[]): Promise<void> =>
  tx.insertMany('bird_scan', scans, { key: ['source', 'node_id', 'probe'], then: 'replace' })

/** Removes at most `count` scans from before `before`; answers how many. */
export async function removeOldScans(tx: Tx, before: number, count: number): Promise<number> {
  const old = await tx.query
    .selectFrom('bird_scan')
    .select(['source', 'seen_at'])
    .where('seen_at', '<', before)
    .orderBy('seen_at')
    .limit(count)
    .execute()
  const last = old.at(-1)
  if (last === undefined) return 0
  await tx.query.deleteFrom('bird_scan').where('seen_at', '<=', last.seen_at).execute()
  return old.length
}
