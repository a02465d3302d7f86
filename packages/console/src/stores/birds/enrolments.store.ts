// Enrolment codes, found by their hash.
import type { Query, Scope, Tx } from '../../db/query.ts'
import { scopeIds } from '../../db/scope.ts'
import type { BirdTables } from './tables.ts'

export type EnrolmentRow = BirdTables['enrolment']

/** Adds a code, and removes those that have expired. */
export async function addEnrolment(tx: Tx, row: EnrolmentRow): Promise<void> {
  await tx.query.deleteFrom('enrolment').where('expires_at', '<=', row.created_at).execute()
  await tx.insertMany('enrolment', [row])
}

/** Uses a code once; answers its Flock, or undefined when it is unknown, expired or used up. */
export async function useEnrolment(db: Query, codeHash: string, now: number): Promise<string | undefined> {
  const row = await db
    .updateTable('enrolment')
    .set((e) => ({ uses_left: e('uses_left', '-', 1) }))
    .where('code_hash', '=', codeHash)
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .returning('flock_id')
    .executeTakeFirst()
  return row?.flock_id
}

/** A code that may no longer be good; undefined when it is unknown, was revoked, or expired and is forgotten. */
export const findEnrolment = (db: Query, codeHash: string): Promise<EnrolmentRow | undefined> =>
  db.selectFrom('enrolment').selectAll().where('code_hash', '=', codeHash).executeTakeFirst()

/** The codes that a Bird of these Flocks can still use, the newest first. */
export const listEnrolments = (db: Query, scope: Scope, now: number): Promise<EnrolmentRow[]> =>
  db
    .selectFrom('enrolment')
    .selectAll()
    .where('uses_left', '>', 0)
    .where('expires_at', '>', now)
    .$if(scope !== 'all', (query) => query.where('flock_id', 'in', scopeIds(scope)))
    .orderBy('created_at', 'desc')
    .orderBy('enrolment_id')
    .execute()

/** Removes a code of these Flocks; answers its Flock, or undefined when there is none. */
export async function removeEnrolment(
  db: Query,
  scope: Scope,
  enrolmentId: string,
): Promise<string | undefined> {
  const row = await db
    .deleteFrom('enrolment')
    .where('enrolment_id', '=', enrolmentId)
    .$if(scope !== 'all', (query) => query.where('flock_id', 'in', scopeIds(scope)))
    .returning('flock_id')
    .executeTakeFirst()
  return row?.flock_id
}

/** Removes the codes that would commission a Bird into the Flock. */
export async function removeEnrolmentsOfFlock(db: Query, flockId: string): Promise<void> {
  await db.deleteFrom('enrolment').where('flock_id', '=', flockId).execute()
}
