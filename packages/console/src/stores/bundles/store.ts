// Bundles: what was sent to Birds, and what became of it.
import { inList } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'
import { notifyLinks } from '../birds/link-changes.store.ts'
import type { BundleState, BundleTables } from './tables.ts'

export type BundleRow = BundleTables['bundle']

const OPEN: readonly BundleState[] = ['waiting', 'started']

const REPLACED = 'Newer settings replaced it before it was applied.'

/** Adds one new bundle for each of some Birds, in place of those that are not applied yet, and notifies their links. */
export async function addBundles(tx: Tx, bundles: readonly BundleRow[]): Promise<void> {
  const [first] = bundles
  if (!first) return
  const birds = bundles.map(({ node_id }) => node_id)
  await tx.query
    .updateTable('bundle')
    .set({ state: 'failed', reason: REPLACED, updated_at: first.created_at, ended_at: first.created_at })
    .where(inList(tx.engine, 'node_id', birds))
    .where('state', 'in', [...OPEN])
    .execute()
  await tx.insertMany('bundle', bundles)
  await notifyLinks(tx, birds)
}

/** How far a Bird has fetched these settings. */
export async function recordCopied(
  db: Query,
  nodeId: string,
  settingsTag: string,
  change: Pick<BundleRow, 'copied' | 'updated_at'>,
): Promise<void> {
  // One that failed, and is offered again, keeps its state and reason until it is applied.
  await db
    .updateTable('bundle')
    .set((e) => ({
      ...change,
      state: 'started',
      started_at: e.fn.coalesce('started_at', e.val(change.updated_at)),
    }))
    .where('node_id', '=', nodeId)
    .where('settings_tag', '=', settingsTag)
    .where('state', 'in', [...OPEN])
    .execute()
}

/** What the Bird reports of these settings. */
export async function settleBundle(
  db: Query,
  nodeId: string,
  settingsTag: string,
  outcome: Pick<BundleRow, 'state' | 'reason' | 'updated_at'>,
): Promise<void> {
  await db
    .updateTable('bundle')
    .set((e) => ({
      ...outcome,
      ended_at: outcome.updated_at,
      ...(outcome.state === 'applied' && { copied: e.ref('size') }),
    }))
    .where('node_id', '=', nodeId)
    .where('settings_tag', '=', settingsTag)
    .execute()
}

export const findBundle = (db: Query, bundleTag: string): Promise<BundleRow | undefined> =>
  db.selectFrom('bundle').selectAll().where('bundle_tag', '=', bundleTag).executeTakeFirst()

/** The newest `most` bundles of a Bird, the newest first. */
export const listBundles = (db: Query, nodeId: string, most: number): Promise<BundleRow[]> =>
  db
    .selectFrom('bundle')
    .selectAll()
    .where('node_id', '=', nodeId)
    .orderBy('seq', 'desc')
    .limit(most)
    .execute()

export async function removeBundlesOf(db: Query, nodeId: string): Promise<void> {
  await db.deleteFrom('bundle').where('node_id', '=', nodeId).execute()
}

/** Removes at most `most` bundles that last changed before `before`, but the newest of each Bird; answers how many. */
export async function removeOldBundles(tx: Tx, before: number, most: number): Promise<number> {
  const old = await tx.query
    .selectFrom('bundle as old')
    .select('old.bundle_tag')
    .where('old.updated_at', '<', before)
    .where((e) =>
      e.exists(
        e
          .selectFrom('bundle as newer')
          .select('newer.seq')
          .whereRef('newer.node_id', '=', 'old.node_id')
          .whereRef('newer.seq', '>', 'old.seq'),
      ),
    )
    .limit(most)
    .execute()
  await tx.deleteMany(
    'bundle',
    'bundle_tag',
    old.map(({ bundle_tag }) => bundle_tag),
  )
  return old.length
}
