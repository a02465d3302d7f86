// Releases of the Bird's software: every query on them.
import { required } from '@rookery/kernel/fault.ts'
import type { Query, Tx } from '../../db/query.ts'
import type { ReleaseTables } from './tables.ts'

export type ReleaseRow = ReleaseTables['release']

/** Releases that a console lists; more are refused. */
export const MAX_RELEASES = 100

export const insertRelease = (tx: Tx, row: ReleaseRow): Promise<void> => tx.insertMany('release', [row])

/** Oldest first. */
export const listReleases = (db: Query): Promise<ReleaseRow[]> =>
  // No more are added.
  db.selectFrom('release').selectAll().orderBy('added_at').orderBy('tag').limit(MAX_RELEASES).execute()

export const findRelease = (db: Query, tag: string): Promise<ReleaseRow | undefined> =>
  db.selectFrom('release').selectAll().where('tag', '=', tag).executeTakeFirst()

export const existingRelease = async (db: Query, tag: string): Promise<ReleaseRow> =>
  required(await findRelease(db, tag), `Update with tag ${tag} does not exist.`)

export const deleteRelease = async (tx: Tx, tag: string): Promise<void> => {
  await tx.query.deleteFrom('release').where('tag', '=', tag).execute()
}

/** Undefined where there is none of that tag. */
export const setIgnored = (db: Query, tag: string, ignored: boolean): Promise<unknown> =>
  db
    .updateTable('release')
    .set({ ignored: Number(ignored) })
    .where('tag', '=', tag)
    .returning('tag')
    .executeTakeFirst()

/** What Birds should have: the highest number that people want. */
export const newestRelease = (db: Query): Promise<ReleaseRow | undefined> =>
  db
    .selectFrom('release')
    .selectAll()
    .where('ignored', '=', 0)
    .orderBy('seq', 'desc')
    // One row is asked for.
    .limit(1)
    .executeTakeFirst()
