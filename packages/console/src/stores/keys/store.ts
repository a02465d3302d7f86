// API keys and factory keys: every query on their table.
import type { Query } from '../../db/query.ts'
import type { KeyTables, KeyType } from './tables.ts'

export type KeyRow = KeyTables['api_key']

export const findKeyByHash = (db: Query, keyHash: string): Promise<KeyRow | undefined> =>
  db.selectFrom('api_key').selectAll().where('key_hash', '=', keyHash).executeTakeFirst()

export const findKey = (db: Query, keyId: string): Promise<KeyRow | undefined> =>
  db.selectFrom('api_key').selectAll().where('key_id', '=', keyId).executeTakeFirst()

/** Keys oldest first, of the given types or of all. */
export function listKeys(db: Query, types?: readonly KeyType[]): Promise<KeyRow[]> {
  const keys = db.selectFrom('api_key').selectAll().orderBy('created_at').orderBy('key_id')
  return (types ? keys.where('type', 'in', [...types]) : keys).execute()
}

export async function addKey(db: Query, row: KeyRow): Promise<void> {
  await db.insertInto('api_key').values(row).execute()
  await db.insertInto('actor').values({ actor_id: row.key_id, name: row.note }).execute()
}

/** Removes a key; false when there was none. */
export async function removeKey(db: Query, keyId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('api_key').where('key_id', '=', keyId).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function markKeyUsed(db: Query, keyId: string, at: number): Promise<void> {
  await db.updateTable('api_key').set({ last_used_at: at }).where('key_id', '=', keyId).execute()
}

/** Deletes the sealed keys and leaves the hashes; answers how many there were. */
export async function clearSealedKeys(db: Query): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('api_key')
    .set({ sealed_key: '' })
    .where('sealed_key', '!=', '')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Admin keys that work at `now`, but for one. */
export async function countOtherAdmins(db: Query, keyId: string, now: number): Promise<number> {
  const row = await db
    .selectFrom('api_key')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('type', '=', 'admin')
    .where('key_id', '!=', keyId)
    .where((e) => e.or([e('expires_at', 'is', null), e('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Removes the deploy keys of a Flock. */
export async function removeKeysOfFlock(db: Query, flockId: string): Promise<void> {
  await db.deleteFrom('api_key').where('flock_id', '=', flockId).execute()
}

export async function countKeys(db: Query): Promise<number> {
  const row = await db
    .selectFrom('api_key')
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Which of these keys are there, and have not expired. */
export async function liveKeys(
  db: Query,
  keyIds: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  if (keyIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('api_key')
    .select('key_id')
    .where('key_id', 'in', keyIds)
    .where((it) => it.or([it('expires_at', 'is', null), it('expires_at', '>', now)]))
    .execute()
  return new Set(rows.map(({ key_id }) => key_id))
}
