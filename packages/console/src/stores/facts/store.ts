// Facts of the installation (table `meta`): a name, and a value that is never replaced.
import type { Query, Tx } from '../../db/query.ts'

export async function findFact(db: Query, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Keeps a fact, unless it is known already. */
export const addFact = (tx: Tx, name: string, value: string): Promise<void> =>
  tx.insertMany('meta', [{ name, value }], { key: ['name'], then: 'skip' })
