// How people want the page.
import type { Query, Tx } from '../../db/query.ts'
import type { PreferenceTables } from './tables.ts'

export type Preferences = Omit<PreferenceTables['preference'], 'user_id'>

const DEFAULTS: Preferences = { theme: 'system', zone: '', single_keys: 1 }

export async function readPreferences(db: Query, userId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('preference')
    .select(['theme', 'zone', 'single_keys'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? DEFAULTS
}

export const storePreferences = (tx: Tx, userId: string, preferences: Preferences): Promise<void> =>
  tx.insertMany('preference', [{ user_id: userId, ...preferences }], { key: ['user_id'], then: 'replace' })

export const removePreferences = (db: Query, userId: string): Promise<unknown> =>
  db.deleteFrom('preference').where('user_id', '=', userId).execute()
