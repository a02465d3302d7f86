// Where the audit trail ends, for the doorbell: every change adds a row to it.
import type { Query } from '../../db/query.ts'

/** The number of the last row; 0 while there is none. */
export async function lastChange(db: Query): Promise<number> {
  const row = await db.selectFrom('audit_head').select('last_id').where('id', '=', 1).executeTakeFirst()
  return row?.last_id ?? 0
}

/** The last row of each Flock that rows beyond this one are about. */
export async function lastChanges(db: Query, above: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('audit')
    .select((it) => ['flock_id', it.fn.max('id').as('last')])
    .where('id', '>', above)
    .groupBy('flock_id')
    .execute()
  return new Map(rows.map(({ flock_id, last }) => [flock_id, Number(last)]))
}
