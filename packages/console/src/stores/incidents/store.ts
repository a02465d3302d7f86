// Single incidents, their history, and the counts that are kept.
import type { Query, Scope } from '../../db/query.ts'
import type { IncidentRow } from './filter.store.ts'

/** By key or by hash id; deleted ones are gone. */
export async function findIncident(
  db: Query,
  scope: Scope,
  by: { readonly key: string } | { readonly hashId: string },
): Promise<IncidentRow | undefined> {
  const all = db.selectFrom('incident').selectAll().where('deleted_at', 'is', null)
  const row = await (
    'key' in by ? all.where('incident_key', '=', by.key) : all.where('hash_id', '=', by.hashId)
  ).executeTakeFirst()
  return row && (scope === 'all' || scope.includes(row.flock_id)) ? row : undefined
}

/** What a source did before, oldest first, deleted incidents too; at most `limit`, the newest. */
export async function sourceHistory(
  db: Query,
  scope: Scope,
  by: { readonly srcHost?: string; readonly flockId?: string },
  limit: number,
): Promise<IncidentRow[]> {
  let q = db
    .selectFrom('incident')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('incident_key', 'desc')
    .limit(limit)
  if (scope !== 'all') q = q.where('flock_id', 'in', scope.length > 0 ? [...scope] : [''])
  if (by.srcHost !== undefined) q = q.where('src_host', '=', by.srcHost)
  if (by.flockId !== undefined) q = q.where('flock_id', '=', by.flockId)
  return (await q.execute()).reverse()
}
