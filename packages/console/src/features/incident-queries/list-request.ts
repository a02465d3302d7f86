// The request of a list. A cursor carries the whole request, so that it resumes without other parameters.
import type { incidentQueries } from '@rookery/contract/groups/incident-queries.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { afterSecond, parseListTime } from '@rookery/kernel/time.ts'
import { readCursor } from '../../secrets/cursor.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { ListFilter } from '../../stores/incidents/filter.store.ts'
import type { ListPage } from '../../views/incidents/cut-page.ts'

/** How incidents are shown; parameters given with a cursor replace those of the cursor. */
export interface ListView {
  readonly tz: string
  readonly shrink: boolean
  readonly eventLimit?: number
}

export interface ListRequest<Filter = ListFilter> extends Omit<ListPage<Filter>, 'limit'> {
  /** Page size; undefined is the whole list. */
  readonly limit: number | undefined
  /** Absent for search. */
  readonly view?: ListView
}

export type FeedRequest = ListRequest & { readonly view: ListView }

const MOST = 5_000

export const clampLimit = (limit: number | undefined): number | undefined =>
  limit === undefined ? undefined : Math.min(limit, MOST)

/** The request of a list in one state (or in all), from its parameters or its cursor. */
export function readListRequest(
  params: Params<(typeof incidentQueries)['all']>,
  list: string,
  acknowledged: 0 | 1 | undefined,
  vault: Vault,
): FeedRequest {
  const { node_id, flock_id, incidents_since, with_deleted, newer_than, older_than } = params
  const { tz, shrink, event_limit } = params
  if (with_deleted && incidents_since === undefined && params.cursor === undefined)
    throw invalidParameter('with_deleted', 'needs incidents_since: only a list of changes reports deletions')
  const given = {
    ...(tz !== undefined && { tz }),
    ...(shrink !== undefined && { shrink }),
    ...(event_limit !== undefined && { eventLimit: event_limit }),
  }
  if (params.cursor !== undefined) {
    const request = readCursor(vault, list, params.cursor) as FeedRequest
    return { ...request, view: { ...request.view, ...given } }
  }
  return {
    filter: {
      ...(acknowledged !== undefined && { acknowledged }),
      ...(node_id !== undefined && { nodeId: node_id }),
      ...(flock_id !== undefined && { flockId: flock_id }),
      ...(incidents_since !== undefined && { updatedIdAbove: incidents_since }),
      ...(with_deleted && { withDeleted: true }),
      ...(newer_than !== undefined && { createdAfter: afterSecond(parseListTime(newer_than, 'newer_than')) }),
      ...(older_than !== undefined && { createdBefore: parseListTime(older_than, 'older_than') }),
    },
    order: incidents_since === undefined ? 'oldest' : 'updated',
    limit: clampLimit(params.limit),
    page: 1,
    view: { tz: 'UTC', shrink: true, ...given },
  }
}

export const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
