// Rows of the list of Birds: pages by key, and the number of all that match.
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { inList } from '../../db/in-list.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import type { Schema } from '../../db/schema.gen.ts'
import { containsText } from '../../db/text.ts'
import type { BirdPosition } from './lists.store.ts'
import type { BirdRow } from './store.ts'

export interface RowFilter {
  readonly text?: string
  readonly state?: 'live' | 'offline' | 'never_seen' | 'settings_failed'
  readonly flockId?: string
}

const COLUMNS = [
  'node_id',
  'name',
  'flock_id',
  'live',
  'ip_address',
  'ippers',
  'version',
  'service_count',
  'settings_failure',
  'not_standing',
  'ignore_general',
  'first_seen_at',
  'registered_at',
  'last_seen_at',
] as const satisfies readonly (keyof BirdRow)[]

export type RowOfBird = Pick<BirdRow, (typeof COLUMNS)[number]>

const SEARCHED = [
  'name',
  'node_id',
  'ip_address',
  'ippers',
  'public_ip',
  'mac_address',
  'description',
  'location',
  'note',
]

/** At most `most` registered Birds behind `after`, in the order in which they were first seen. */
export function birdRowPage(
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: RowFilter,
  { after, most }: { readonly after?: BirdPosition | undefined; readonly most: number },
): Promise<RowOfBird[]> {
  let q = matching(db, engine, scope, filter).select(COLUMNS)
  if (after)
    q = q.where((e) =>
      e(e.refTuple('first_seen_at', 'node_id'), '>', e.tuple(after.first_seen_at, after.node_id)),
    )
  return q.orderBy('first_seen_at').orderBy('node_id').limit(most).execute()
}

export async function countBirdRows(
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: RowFilter,
): Promise<number> {
  const { n } = await matching(db, engine, scope, filter)
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Incidents of these Birds that nobody has acknowledged, by Bird and logtype. */
export async function openByLogtype(
  db: Query,
  engine: EngineName,
  nodeIds: readonly string[],
): Promise<{ node_id: string; logtype: string; n: number }[]> {
  const rows = await db
    .selectFrom('incident_of_node')
    .where(inList(engine, 'node_id', nodeIds))
    .where('memo', 'is', null)
    .where('acknowledged', '=', 0)
    .where('deleted_at', 'is', null)
    .groupBy(['node_id', 'logtype'])
    .select((e) => ['node_id', 'logtype', e.fn.countAll<number>().as('n')])
    .execute()
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}

function matching(db: Query, engine: EngineName, scope: Scope, { text, state, flockId }: RowFilter) {
  let q = db.selectFrom('bird').where('state', '=', 'registered')
  if (scope !== 'all') q = q.where('flock_id', 'in', scope.length > 0 ? [...scope] : [''])
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  if (text !== undefined) q = q.where(containsText(engine, SEARCHED, text))
  if (state !== undefined) q = q.where((e) => STATES[state](e))
  return q
}

type OfBird = ExpressionBuilder<Schema, 'bird'>

const registeredAt = sql<number>`coalesce(registered_at, 0)`
const STATES: Readonly<Record<NonNullable<RowFilter['state']>, (e: OfBird) => Expression<SqlBool>>> = {
  live: (e) => e('live', '=', 1),
  offline: (e) => e.and([e('live', '=', 0), e('last_seen_at', '>=', registeredAt)]),
  never_seen: (e) => e.and([e('live', '=', 0), e('last_seen_at', '<', registeredAt)]),
  settings_failed: (e) => e.or([e('settings_failure', '!=', ''), e('not_standing_count', '>', 0)]),
}
