// Birds: the queries on their table that many rooms ask.
import { among } from '../../db/among.ts'
import type { EngineName, Query, Row, Scope, Tx } from '../../db/query.ts'
import type { BirdState, BirdTables } from './tables.ts'

export type BirdRow = BirdTables['bird']

/** What the list form of a Bird is made of: of very many, every column counts. */
const LISTED = [
  'node_id',
  'name',
  'description',
  'location',
  'note',
  'version',
  'ip_address',
  'ippers',
  'netmask',
  'mac_address',
  'public_ip',
  'environment',
  'first_seen_at',
  'registered_at',
  'last_seen_at',
  'updated_at',
  'live',
  'booted_at',
  'ignore_general',
  'ignore_disconnect',
  'ignore_reconnect',
] as const satisfies readonly (keyof BirdRow)[]

export type ListedBird = Pick<BirdRow, (typeof LISTED)[number]>

/** What lists show: everything but the settings, which are long. */
export const SHOWN = [
  ...LISTED,
  'device_id_hash',
  'state',
  'flock_id',
  'pairing_phrase',
  'queued_at',
  'reconnect_count',
  'service_count',
  'last_dns_settings_at',
  'was_rollback',
  'settings_tag',
] as const satisfies readonly (keyof BirdRow)[]

export type ShownBird = Pick<BirdRow, (typeof SHOWN)[number]>

/** Birds that are read at once: from a file in one turn of the event loop, from a server while others are served. */
const PAGE: Readonly<Record<EngineName, number>> = { sqlite: 500, postgres: 2_500 }

export interface BirdFilter {
  readonly state: BirdState
  readonly flockId?: string
  readonly nodeIds?: readonly string[]
  readonly live?: 0 | 1
}

/** Birds of the scope that match, by the time of their first word. */
export const listBirds = (
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: BirdFilter,
): Promise<ShownBird[]> => selectBirds(db, engine, scope, filter).select(SHOWN).execute()

/** The same in portions, so that a long list holds nobody up. */
export async function* birdPages(
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: BirdFilter,
): AsyncGenerator<readonly ListedBird[]> {
  let last: ListedBird | undefined
  do {
    const { first_seen_at, node_id } = last ?? { first_seen_at: Number.MIN_SAFE_INTEGER, node_id: '' }
    const rows = await selectBirds(db, engine, scope, filter)
      .select(LISTED)
      .where((e) => e(e.refTuple('first_seen_at', 'node_id'), '>', e.tuple(first_seen_at, node_id)))
      .limit(PAGE[engine])
      .execute()
    yield rows
    last = rows.length === PAGE[engine] ? rows.at(-1) : undefined
  } while (last)
}

function selectBirds(
  db: Query,
  engine: EngineName,
  scope: Scope,
  { state, flockId, nodeIds, live }: BirdFilter,
) {
  let q = db.selectFrom('bird').where('state', '=', state)
  if (scope !== 'all') q = q.where('flock_id', 'in', scope.length > 0 ? [...scope] : [''])
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  if (nodeIds !== undefined) q = q.where(among(engine, 'node_id', nodeIds))
  if (live !== undefined) q = q.where('live', '=', live)
  return q.orderBy('first_seen_at').orderBy('node_id')
}

/** The Bird, if the scope may see its Flock. */
export async function findBird(db: Query, scope: Scope, nodeId: string): Promise<BirdRow | undefined> {
  const row = await db.selectFrom('bird').selectAll().where('node_id', '=', nodeId).executeTakeFirst()
  return row && (scope === 'all' || scope.includes(row.flock_id)) ? row : undefined
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
    .where(among(tx.engine, 'node_id', nodeIds))
    .execute()
  const seen = rows.filter((row) => scope === 'all' || scope.includes(row.flock_id))
  return new Map(seen.map((row) => [row.node_id, row]))
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

/** Forgets pending Birds that have been silent since `before`. */
export async function forgetSilentPending(db: Query, before: number): Promise<void> {
  await db
    .deleteFrom('bird')
    .where('state', '=', 'pending')
    .where('live', '=', 0)
    .where('last_seen_at', '<', before)
    .execute()
}
