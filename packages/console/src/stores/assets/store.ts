// The stored copy of the asset inventory: every query on its table.
import type { Query, Tx } from '../../db/query.ts'
import type { AssetTables } from './tables.ts'

export type AssetCopy = Omit<AssetTables['asset_copy'], 'id'>

/** The copy that came from this source. */
export const findAssetCopy = (db: Query, source: string): Promise<AssetCopy | undefined> =>
  db
    .selectFrom('asset_copy')
    .select(['source', 'body', 'fetched_at'])
    .where('source', '=', source)
    .executeTakeFirst()

export const putAssetCopy = (tx: Tx, copy: AssetCopy): Promise<void> =>
  tx.insertMany('asset_copy', [{ id: 1, ...copy }], { key: ['id'], then: 'replace' })
