// One Bird, or a few by their ids: find, add, change, count.
import { Fault, required } from '@rookery/kernel/fault.ts'
import { inList } from '../../db/in-list.ts'
import type { Query, Row, Scope, Tx } from '../../db/query.ts'
import type { BirdState, BirdTables } from './tables.ts'

export type BirdRow = BirdTables['bird']

/** The Bird, if the scope may see its Flock. */
export async function findBird(db: Query, scope: Scope, nodeId: string): Promise<BirdRow | undefined> {
  const row = await db.selectFrom('bird').selectAll().where('node_id', '=', nodeId).executeTakeFirst()
  return row && (scope === 'all' || scope.includes(row.flock_id)) ? row : undefined
}

/** The Bird, if it is registered; throws `not-found` or `conflict` otherwise. */
export async function registeredBird(db: Query, scope: Scope, nodeId: string): Promise<BirdRow> {
  const bird = await findBird(db, scope, nodeId)
  const isGone = bird?.state === 'removed' || bird?.state === 'cancelled'
  const found = required(isGone ? undefined : bird, 'Bird not found')
  if (found.state === 'registered') return found
  throw new Fault('conflict', `Bird ${nodeId} is ${found.state}, not registered: commission it first.`)
}

/** Those of these Birds that there are, by id, if the scope may see their Flocks. */
export async function findBirds(
  tx: Tx,
  scope: Scope,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, BirdRow>> {
  const rows = await tx.query
    .selectFrom('bird')
    .selectAll()
    .where(inList(tx.engine, 'node_id', nodeIds))
    .execute()
  const visible = rows.filter((row) => scope === 'all' || scope.includes(row.flock_id))
  return new Map(visible.map((row) => [row.node_id, row]))
}

/** The Bird with this public key (hex). */
export const findBirdByKey = (db: Query, publicKey: string): Promise<BirdRow | undefined> =>
  db.selectFrom('bird').selectAll().where('public_key', '=', publicKey).executeTakeFirst()

/** Adds a Bird; the columns that are left out have their defaults. */
export const addBird = (
  tx: Tx,
  row: Pick<
    BirdRow,
    | 'node_id'
    | 'public_key'
    | 'device_id_hash'
    | 'state'
    | 'flock_id'
    | 'name'
    | 'pairing_phrase'
    | 'first_seen_at'
    | 'queued_at'
    | 'last_seen_at'
    | 'updated_at'
  >,
): Promise<void> => tx.insertMany('bird', [row])

/** Changes the given columns of a Bird. */
export async function changeBird(
  db: Query,
  nodeId: string,
  change: Partial<Omit<BirdRow, 'node_id' | 'public_key'>>,
): Promise<void> {
  await db.updateTable('bird').set(change).where('node_id', '=', nodeId).execute()
}

/** Changes many Birds at once: rows of `node_id` and the same other columns. */
export const changeBirds = (tx: Tx, rows: readonly Row[]): Promise<void> =>
  tx.updateMany('bird', ['node_id'], rows)

export async function countBirds(db: Query, state: BirdState, flockId?: string): Promise<number> {
  let q = db
    .selectFrom('bird')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('state', '=', state)
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  return Number((await q.executeTakeFirstOrThrow()).n)
}

/** Removes pending Birds that have no link and were last seen before `before`. */
export async function removeSilentPending(db: Query, before: number): Promise<void> {
  await db
    .deleteFrom('bird')
    .where('state', '=', 'pending')
    .where('live', '=', 0)
    .where('last_seen_at', '<', before)
    .execute()
}
