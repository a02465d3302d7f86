// Filters of lists and searches, and the conditions that both share.
import { expressionBuilder, type Expression, type SqlBool } from 'kysely'
import { noIndex, noTextIndex } from '../../db/planner.ts'
import type { Scope } from '../../db/query.ts'
import type { Schema } from '../../db/schema.gen.ts'
import type { IncidentTables } from './tables.ts'

export type IncidentRow = IncidentTables['incident']

/** Filter of a list. */
export interface ListFilter {
  readonly acknowledged?: 0 | 1
  /** A Bird, or the node of a token. */
  readonly nodeId?: string
  readonly flockId?: string
  /** Strictly before and after, milliseconds. */
  readonly createdBefore?: number
  readonly createdAfter?: number
  readonly updatedIdAbove?: number
  /** Deleted incidents, too; only with `updatedIdAbove`. */
  readonly withDeleted?: boolean
}

/** Filter of a search or a bulk action. */
export interface SearchFilter extends Omit<ListFilter, 'updatedIdAbove' | 'withDeleted'> {
  /** The incident's source, or one of those that share it; also a range of IPv4 addresses. With `!` before it, all others. */
  readonly srcHost?: string
  /** Leaves out incidents of `many sources`: what is done for one source is not done for the others. */
  readonly ofOneSource?: true
  /** Part of the alert name, the node, its name or memo, the source's address or name, or the destination; A to Z in any case. */
  readonly text?: string
  readonly logtypes?: readonly string[]
  /** Only these incidents. */
  readonly ids?: readonly number[]
}

/** Whether the filter names a token's node: `incident_by_node` has no tokens. */
export const isOfToken = ({ nodeId }: ListFilter): boolean => nodeId !== undefined && TOKEN_ID.test(nodeId)

const TOKEN_ID = /^[a-z0-9]{25}$/

/** The access paths that are left to the planner: all, all but the indexes of lists, or a scan of the table alone. */
export type Access = 'any' | 'no list index' | 'table'

/** Conditions on scope, state, Flock and time; deleted incidents match only where they alone are asked for. */
export function stateConditions(
  scope: Scope,
  filter: Omit<ListFilter, 'nodeId' | 'updatedIdAbove' | 'withDeleted'>,
  access: Access,
  deleted = false,
): Expression<SqlBool>[] {
  const it = expressionBuilder<Schema, 'incident_state'>()
  const flockId = access === 'any' ? it.ref('flock_id') : noTextIndex('flock_id')
  const acknowledged = access === 'any' ? it.ref('acknowledged') : noIndex('acknowledged')
  // The indexes of `incident_state` are partial (`deleted_at IS NULL`).
  const deletedAt = access === 'table' ? noIndex('deleted_at') : it.ref('deleted_at')
  const all: Expression<SqlBool>[] = [it(deletedAt, deleted ? 'is not' : 'is', null)]
  if (scope !== 'all') all.push(it(flockId, 'in', nonEmpty(scope)))
  if (filter.acknowledged !== undefined) all.push(it(acknowledged, '=', filter.acknowledged))
  if (filter.flockId !== undefined) all.push(it(flockId, '=', filter.flockId))
  if (filter.createdBefore !== undefined) all.push(it('created_at', '<', filter.createdBefore))
  if (filter.createdAfter !== undefined) all.push(it('created_at', '>', filter.createdAfter))
  return all
}

/** Values for IN: SQL has no empty list, and no id is an empty text. */
export const nonEmpty = (texts: readonly string[]): readonly string[] => (texts.length > 0 ? texts : [''])
