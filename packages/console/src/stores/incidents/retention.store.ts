// Incidents that are done with: acknowledged or deleted, and unchanged for so long that they go for good. Long reads find them.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Engine } from '../../db/engine.ts'
import { inList } from '../../db/in-list.ts'
import { noIndex, noTextIndex } from '../../db/planner.ts'
import type { Query, Tx } from '../../db/query.ts'
import { isBefore, type Cutoffs } from '../../db/cutoffs.ts'
import { openReading } from './search.store.ts'
import { addToCounts } from './counts.store.ts'
import { isShared } from './shared.store.ts'
import { stateConditions } from './filter.store.ts'
import { withinTime } from '../../db/time-limit.ts'

/** A candidate, and its place in the walk that found it. */
export interface DoneWith {
  readonly incident_id: number
  readonly events_count: number
  readonly created_at: number
  readonly updated_id: number
}

const COLUMNS = ['incident_id', 'events_count', 'created_at', 'updated_id'] as const

/** Flocks, also those that are gone, with acknowledged incidents. */
export async function flocksWithAcknowledged(db: Query): Promise<string[]> {
  const rows = await db
    .selectFrom('incident_count')
    .select('flock_id')
    .where('acknowledged', '=', 1)
    .where('n', '>', 0)
    .execute()
  return rows.map(({ flock_id }) => flock_id)
}

/** Acknowledged ones of a Flock that nobody changed since `before`, behind `from`, by their creation. */
export function oldAcknowledged(
  { reader, longRead }: Engine,
  flockId: string,
  before: number,
  from: DoneWith | undefined,
  most: number,
): Promise<DoneWith[]> {
  let walk = reader
    .selectFrom('incident_state')
    .select(COLUMNS)
    // None begins after its last change.
    .where((e) => e.and(stateConditions('all', { acknowledged: 1, flockId, createdBefore: before }, 'any')))
    .where(noIndex('updated_at'), '<', before)
  if (from)
    walk = walk.where(sql<boolean>`(created_at, incident_id) > (${from.created_at}, ${from.incident_id})`)
  return longRead(walk.orderBy('created_at').orderBy('incident_id').limit(most).compile())
}

/** Deleted ones of all Flocks, behind `from`, by their last change. */
export const oldDeleted = (
  { reader, longRead }: Engine,
  cutoffs: Cutoffs,
  from: DoneWith | undefined,
  most: number,
): Promise<DoneWith[]> =>
  longRead(
    reader
      .selectFrom('incident_state')
      .select(COLUMNS)
      .where('deleted_at', 'is not', null)
      .where('updated_id', '>', from?.updated_id ?? 0)
      .where(isBefore(cutoffs, noIndex('updated_at')))
      .orderBy('updated_id')
      .limit(most)
      .compile(),
  )

/** How many would go now. A scan, within the time limit of searches. */
export async function countDoneWith(engine: Engine, cutoffs: Cutoffs): Promise<number> {
  const query = engine.reader
    .selectFrom('incident_state')
    .select(sql<number>`count(*)`.as('n'))
    .where(isDoneWith(cutoffs))
    .where(withinTime(engine.name, 'incident_id'))
  const [row] = await openReading(engine)(query.compile())
  return Number(row?.n ?? 0)
}

const isDoneWith = (cutoffs: Cutoffs): RawBuilder<SqlBool> =>
  sql`((${noIndex('acknowledged')} = 1 OR ${noIndex('deleted_at')} IS NOT NULL) AND ${isBefore(cutoffs, noIndex('updated_at'))})`

/** Rows that a transaction removes at most, but for the last incident, which may have a thousand events. */
export const ROWS_PER_STEP = 1_000
const ROWS_OF_ONE = 3
const MAX_KEPT_EVENTS = 1_000

/** As many of the candidates, from the first, as one transaction takes. */
export function portionOf(candidates: readonly DoneWith[]): DoneWith[] {
  let rows = 0
  const end = candidates.findIndex((it) => {
    rows += ROWS_OF_ONE + Math.min(it.events_count, MAX_KEPT_EVENTS)
    return rows > ROWS_PER_STEP
  })
  return candidates.slice(0, end < 0 ? candidates.length : Math.max(1, end))
}

/** How many a step removed, by Flock; undefined while their sources are so many that the same step must come again. */
export type Removed = ReadonlyMap<string, number>

/**
 * Removes those of the candidates that nobody changed meanwhile, with all that is stored of them. Their messages that wait are
 * dropped; what was sent stays in the log.
 */
export async function removeDoneWith(
  tx: Tx,
  candidates: readonly DoneWith[],
  cutoffs: Cutoffs,
): Promise<Removed | undefined> {
  const gone = await tx.query
    .selectFrom('incident_state')
    .select(['incident_id', 'flock_id', 'src_host', 'deleted_at'])
    .where(inList(tx.engine, 'incident_id', candidates.map(idOf)))
    .where(isDoneWith(cutoffs))
    .execute()
  const shared = gone.filter(({ src_host }) => isShared(src_host)).map(idOf)
  if (shared.length > 0 && (await removeSources(tx, shared)) === ROWS_PER_STEP) return undefined
  const ids = gone.map(idOf)
  for (const table of ['incident_state', 'incident_fact', 'incident_event', 'incident_comment'] as const)
    await tx.deleteMany(table, 'incident_id', ids)
  await tx.query
    .updateTable('delivery')
    .set({ state: 'dropped', reason: 'The incident was removed: its time was over.' })
    .where(inList(tx.engine, 'incident_id', ids))
    // Repeats the predicate of the partial index `delivery_by_incident`.
    .where('incident_id', '>', 0)
    .where(noTextIndex('state'), '=', 'waiting')
    .execute()
  const counted = new Map<string, number>()
  const removed = new Map<string, number>()
  for (const { flock_id, deleted_at } of gone) {
    removed.set(flock_id, (removed.get(flock_id) ?? 0) + 1)
    if (deleted_at === null) counted.set(flock_id, (counted.get(flock_id) ?? 0) - 1)
  }
  await addToCounts(
    tx,
    Array.from(counted, ([flock_id, n]) => ({ flock_id, acknowledged: 1, n })),
  )
  return removed
}

const idOf = ({ incident_id }: { readonly incident_id: number }): number => incident_id

/** Of one incident there may be 100,000. */
async function removeSources(tx: Tx, incidentIds: readonly number[]): Promise<number> {
  const rows = await tx.query
    .selectFrom('incident_source')
    .select('src_host')
    .select('incident_id')
    .where(inList(tx.engine, 'incident_id', incidentIds))
    .orderBy('incident_id')
    .orderBy('nth')
    .limit(ROWS_PER_STEP)
    .execute()
  const byIncident = Map.groupBy(rows, idOf)
  for (const [incident_id, of] of byIncident)
    await tx.query
      .deleteFrom('incident_source')
      .where('incident_id', '=', incident_id)
      .where(
        inList(
          tx.engine,
          'src_host',
          of.map(({ src_host }) => src_host),
        ),
      )
      .execute()
  return rows.length
}

/** Texts of `search_text` that no incident has, in the reading thread; and the last number that an incident had at that time. */
export async function unusedTexts(
  engine: Engine,
): Promise<{ readonly textIds: readonly number[]; readonly last: number }> {
  const { updated_id: last } = await engine.commitSequence()
  const query = sql<{ readonly text_id: number }>`
    SELECT text_id FROM search_text EXCEPT SELECT text_id FROM incident_state`
  const rows = await engine.longRead(query.compile(engine.reader))
  return { textIds: rows.map(({ text_id }) => Number(text_id)), last }
}

/** Removes texts that no incident behind `last` has taken up meanwhile. */
export async function removeTexts(tx: Tx, textIds: readonly number[], last: number): Promise<void> {
  await tx.query
    .deleteFrom('search_text')
    .where(inList(tx.engine, 'text_id', textIds))
    .where('text_id', 'not in', (e) =>
      e.selectFrom('incident_state').select('text_id').where('incident_id', '>', last),
    )
    .execute()
}
