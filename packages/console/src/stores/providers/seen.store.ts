// Events that were stored: providers repeat a report until they see its answer, and polls read some twice.
import { inList, inTexts } from '../../db/in-list.ts'
import type { Tx } from '../../db/query.ts'

/** Those of the events that were not seen yet; they are from now on. */
export async function takeUnseen(
  tx: Tx,
  source: string,
  eventIds: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (eventIds.length === 0) return new Set()
  const named = inTexts(tx.engine, 'event_id', eventIds)
  const rows = await tx.rows<{ event_id: string }>(
    `SELECT event_id FROM seen_event WHERE source = ? AND ${named.sql}`,
    [source, named.value],
  )
  const seen = new Set(rows.map(({ event_id }) => event_id))
  const unseen = new Set(eventIds.filter((id) => !seen.has(id)))
  await tx.insertMany(
    'seen_event',
    Array.from(unseen, (event_id) => ({ source, event_id, seen_at: now })),
  )
  return unseen
}

/** Forgets at most `most` events that were seen before this time; answers how many. */
export async function removeOldSeenEvents(tx: Tx, before: number, most: number): Promise<number> {
  const old = await tx.query
    .selectFrom('seen_event')
    .select(['source', 'event_id'])
    .where('seen_at', '<', before)
    .orderBy('seen_at')
    .limit(most)
    .execute()
  for (const source of new Set(old.map((it) => it.source)))
    await tx.query
      .deleteFrom('seen_event')
      .where('source', '=', source)
      .where(inList(tx.engine, 'event_id', idsOf(old, source)))
      .execute()
  return old.length
}

const idsOf = (
  rows: readonly { readonly source: string; readonly event_id: string }[],
  source: string,
): string[] => rows.filter((row) => row.source === source).map(({ event_id }) => event_id)
