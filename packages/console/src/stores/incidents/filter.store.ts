// Which incidents are meant: the conditions that lists, search and bulk actions share.
import { expressionBuilder, sql, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { containsText } from '../../db/text.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import type { Schema } from '../../db/schema.gen.ts'
import type { IncidentTables } from './tables.ts'

export type IncidentRow = IncidentTables['incident']

export interface IncidentFilter {
  readonly acknowledged?: 0 | 1
  readonly nodeId?: string
  readonly flockId?: string
  readonly srcHost?: string
  /** Strictly before and after, milliseconds. */
  readonly createdBefore?: number
  readonly createdAfter?: number
  readonly updatedIdAbove?: number
  /** Part of the alert name, node id, source or destination address. */
  readonly text?: string
  readonly logtypes?: readonly string[]
  /** Deleted ones, too. */
  readonly withDeleted?: boolean
}

/** Whether one token's incidents are meant: these stand in no index by node, and are found as a search finds them (decision 0017). */
export const isOfToken = ({ nodeId }: IncidentFilter): boolean =>
  nodeId !== undefined && TOKEN_ID.test(nodeId)

const TOKEN_ID = /^[a-z0-9]{25}$/

type Selecting = SelectQueryBuilder<Schema, 'incident', object>

/** Selects from the states of incidents of the scope that are not deleted and match. */
export const matching = (db: Query, engine: EngineName, scope: Scope, filter: IncidentFilter): Placing =>
  statesFor(db, filter).where(isMeant(engine, scope, filter))

type Placing = SelectQueryBuilder<Schema, 'incident_state', object>

/** What has them in order, with the facts if these are asked for. */
function statesFor(db: Query, filter: IncidentFilter): Placing {
  const { nodeId, srcHost, text, logtypes, updatedIdAbove } = filter
  if ([nodeId, srcHost, text, logtypes].every((it) => it === undefined))
    return db.selectFrom('incident_state')
  const whole =
    nodeId !== undefined && updatedIdAbove === undefined
      ? db.selectFrom('incident_of_node as incident')
      : db.selectFrom('incident')
  return whole as unknown as Placing
}

/** What `isMeant` asks of an incident, and what a search is told of it: a row has three times as many columns. */
const ASKED = [
  'incident_id',
  'created_at',
  'src_host',
  'summary',
  'node_id',
  'dst_host',
  'logtype',
  'flock_id',
  'memo',
  'acknowledged',
  'deleted_at',
  'updated_id',
] as const

/** The same among the incidents numbered above `after`, up to `upTo`: a walk over that stretch and no other index. */
export const matchingStretch = (
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: IncidentFilter,
  after: number,
  upTo: number,
): Selecting => {
  const stretch = db
    .selectFrom('incident')
    .select(ASKED)
    .where('incident_id', '>', after)
    .where('incident_id', '<=', upTo)
    .orderBy('incident_id')
    // Numbers are unique: this leaves nothing out, and keeps the planner from dissolving the stretch.
    .limit(upTo - after)
  const found = db.selectFrom(stretch.as('incident')) as unknown as Selecting
  return found.where(isMeant(engine, scope, filter))
}

function isMeant(engine: EngineName, scope: Scope, filter: IncidentFilter): Expression<SqlBool> {
  // Rows above a number have a better index than those of state, Flock and node: no planner is tempted into these.
  const isFound = filter.updatedIdAbove !== undefined
  const it = expressionBuilder<Schema, 'incident'>()
  const all: Expression<SqlBool>[] = []
  if (filter.withDeleted !== true) all.push(it('deleted_at', 'is', null))
  // A sum or an empty text keeps an index out.
  const flockId = isFound ? sql<string>`(flock_id || '')` : sql.ref<string>('flock_id')
  const isState =
    isFound || filter.nodeId !== undefined ? sql<number>`(acknowledged + 0)` : sql.ref<number>('acknowledged')
  const nodeId = isFound ? sql<string>`(node_id || '')` : sql.ref<string>('node_id')
  if (scope !== 'all') all.push(it(flockId, 'in', scope.length > 0 ? [...scope] : ['']))
  if (filter.acknowledged !== undefined) all.push(it(isState, '=', filter.acknowledged))
  if (filter.nodeId !== undefined) all.push(it(nodeId, '=', filter.nodeId))
  // As the nodes' index says: a Bird's incidents have no memo.
  if (filter.nodeId !== undefined && !isOfToken(filter)) all.push(it('memo', 'is', null))
  if (filter.flockId !== undefined) all.push(it(flockId, '=', filter.flockId))
  if (filter.srcHost !== undefined) all.push(it('src_host', '=', filter.srcHost))
  if (filter.createdBefore !== undefined) all.push(it('created_at', '<', filter.createdBefore))
  if (filter.createdAfter !== undefined) all.push(it('created_at', '>', filter.createdAfter))
  if (filter.updatedIdAbove !== undefined) all.push(it('updated_id', '>', filter.updatedIdAbove))
  if (filter.logtypes !== undefined)
    all.push(it('logtype', 'in', filter.logtypes.length > 0 ? [...filter.logtypes] : ['']))
  if (filter.text !== undefined) all.push(containsText(engine, [...KIND_TEXTS, 'src_host'], filter.text))
  return it.and(all)
}

/** The texts that search looks into, but for the source: incidents of one kind share them. */
export const KIND_TEXTS = ['summary', 'node_id', 'dst_host'] as const
