// Which incidents are meant: the conditions that lists, search and bulk actions share.
import { isIPv6 } from 'node:net'
import { sql, type SelectQueryBuilder } from 'kysely'
import { among } from '../../db/among.ts'
import { containsText } from '../../db/text.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import type { Schema } from '../../db/schema.ts'
import { keysOfSource } from './aggregation.ts'
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

/** Selects from the incidents of the scope that are not deleted and match. */
export const matching = (db: Query, engine: EngineName, scope: Scope, filter: IncidentFilter): Selecting =>
  narrowed(db.selectFrom('incident'), engine, scope, filter, filter.updatedIdAbove !== undefined)

/** The same among some incidents, by their numbers: each is looked up, however many others match. */
export const matchingAmong = (
  db: Query,
  engine: EngineName,
  scope: Scope,
  filter: IncidentFilter,
  incidentIds: readonly number[],
): Selecting =>
  narrowed(db.selectFrom('incident'), engine, scope, filter, true).where(
    among(engine, 'incident_id', incidentIds),
  )

/** What `narrowed` asks of an incident, and what a search is told of it: a row has three times as many columns. */
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
  return narrowed(found, engine, scope, filter, filter.updatedIdAbove !== undefined)
}

/** With `isFound`, the rows have a better index than those of state, Flock and node: no planner is tempted into these. */
function narrowed(
  q: Selecting,
  engine: EngineName,
  scope: Scope,
  filter: IncidentFilter,
  isFound: boolean,
): Selecting {
  if (filter.withDeleted !== true) q = q.where('deleted_at', 'is', null)
  // A sum or an empty text keeps an index out.
  const flockId = isFound ? sql<string>`(flock_id || '')` : sql.ref<string>('flock_id')
  const isState =
    isFound || filter.nodeId !== undefined ? sql<number>`(acknowledged + 0)` : sql.ref<number>('acknowledged')
  const nodeId = isFound ? sql<string>`(node_id || '')` : sql.ref<string>('node_id')
  if (scope !== 'all') q = q.where(flockId, 'in', scope.length > 0 ? [...scope] : [''])
  if (filter.acknowledged !== undefined) q = q.where(isState, '=', filter.acknowledged)
  if (filter.nodeId !== undefined) q = q.where(nodeId, '=', filter.nodeId)
  // As the nodes' index says: a Bird's incidents have no memo.
  if (filter.nodeId !== undefined && !isOfToken(filter)) q = q.where('memo', 'is', null)
  if (filter.flockId !== undefined) q = q.where(flockId, '=', filter.flockId)
  if (filter.srcHost !== undefined) q = q.where('src_host', '=', filter.srcHost)
  if (filter.createdBefore !== undefined) q = q.where('created_at', '<', filter.createdBefore)
  if (filter.createdAfter !== undefined) q = q.where('created_at', '>', filter.createdAfter)
  if (filter.updatedIdAbove !== undefined) q = q.where('updated_id', '>', filter.updatedIdAbove)
  if (filter.logtypes !== undefined)
    q = q.where('logtype', 'in', filter.logtypes.length > 0 ? [...filter.logtypes] : [''])
  if (filter.text !== undefined) {
    q = q.where(containsText(engine, [...KIND_TEXTS, 'src_host'], filter.text))
  }
  return q
}

/** The texts that search looks into, but for the source: incidents of one kind share them. */
export const KIND_TEXTS = ['summary', 'node_id', 'dst_host'] as const

/** The numbers of all incidents of a source, deleted ones too: a walk over one stretch of the keys' index. */
export function incidentsOfSource(db: Query, srcHost: string) {
  const { from, below } = keysOfSource(srcHost)
  const q = db
    .selectFrom('incident as s')
    .select('s.incident_id')
    .where('s.agg_key', '>=', from)
    .where('s.agg_key', '<', below)
  // Of an IPv6 address the key has the network alone.
  return isIPv6(srcHost) ? q.where('s.src_host', '=', srcHost) : q
}
