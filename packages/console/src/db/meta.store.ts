// Named values of the installation, and whether the database answers.
import type { Query, Tx } from './query.ts'

export async function readMeta(db: Query, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Writes the value unless there is one already. */
export const writeMetaOnce = (tx: Tx, name: string, value: string): Promise<void> =>
  tx.insertMany('meta', [{ name, value }], { key: ['name'], then: 'skip' })

export const writeMeta = (tx: Tx, name: string, value: string): Promise<void> =>
  tx.insertMany('meta', [{ name, value }], { key: ['name'], then: 'replace' })

/** Throws when the database does not answer. */
export async function touchDatabase(db: Query): Promise<void> {
  await db.selectFrom('commit_sequence').select('id').executeTakeFirstOrThrow()
}
