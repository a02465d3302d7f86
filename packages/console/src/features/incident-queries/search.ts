// `incidents/search`: newest first, with totals and the sources behind them.
import type { incidentQueries } from '@rookery/contract/groups/incident-queries.ts'
import type { Answer, Params } from '@rookery/contract/operation.ts'
import { parseListTime } from '@rookery/kernel/time.ts'
import type { Base } from '../../base.ts'
import type { Scope } from '../../db/query.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import { searchedIncident } from '../../incidents/search.ts'
import { readCursor } from '../../secrets/cursor.ts'
import type { Vault } from '../../secrets/vault.ts'
import { eventsOf } from '../../stores/incidents/events.store.ts'
import { previouslySeen, searchPage, searchTotals } from '../../stores/incidents/search.store.ts'
import type { Call } from '../../http/call.ts'
import { afterSecond, clampLimit, cutPage, type ListRequest } from './list-request.ts'

type Search = (typeof incidentQueries)['search']

/** Bird records (2.5) by node id, of those that the scope may see. */
export type BirdRecords = (nodeIds: readonly string[], scope: Scope) => Promise<ReadonlyMap<string, object>>

const LIST = '/incidents/search'
const PAGE = 100

export async function search(
  base: Pick<Base, 'engine' | 'reader' | 'vault' | 'world'> & { readonly assets: Pick<Assets, 'book'> },
  birdRecords: BirdRecords,
  params: Params<Search>,
  call: Call,
): Promise<Answer<Search>> {
  const { scope } = call.caller
  const request = readSearchRequest(params, base.vault)
  const [fetched, totals] = await Promise.all([
    searchPage(base.engine, scope, request.filter, { ...request, limit: request.limit + 1 }),
    searchTotals(base.engine, scope, request.filter),
  ])
  const { rows, next, prev } = cutPage(request, fetched, LIST, base.vault)
  const [events, seen, hosts] = await Promise.all([
    eventsOf(
      base.reader,
      base.engine.name,
      rows.map((row) => row.incident_id),
    ),
    previouslySeen(base.engine, rows),
    birdRecords([...new Set(rows.map((row) => row.node_id))], scope),
  ])
  const book = await base.assets.book()
  const now = base.world.clock.now()
  const link = (cursor: string | null): string | null => {
    if (cursor === null) return null
    const query = new URLSearchParams({
      cursor,
      ...(call.keyInQuery !== undefined && { auth_token: call.keyInQuery }),
    })
    return `${call.baseUrl}/api/v1${LIST}?${query.toString()}`
  }
  return {
    cursor: { next, next_link: link(next), prev, prev_link: link(prev) },
    incident_source_counts: totals.bySource,
    incidents: rows.map((row) =>
      searchedIncident(row, events.get(row.incident_id) ?? [], {
        now,
        host: (hosts.get(row.node_id) ?? {}) as Record<string, unknown>,
        asset: book.at(row.src_host),
        previouslySeen: seen.get(row.incident_id) ?? 0,
      }),
    ),
    page_number: request.page,
    total_pages: Math.max(1, Math.ceil(totals.total / request.limit)),
    total_results: totals.total,
  }
}

function readSearchRequest(params: Params<Search>, vault: Vault): ListRequest & { readonly limit: number } {
  if (params.cursor !== undefined)
    return readCursor(vault, LIST, params.cursor) as ListRequest & { limit: number }
  const { node_id, flock_id, filter_str, filter_logtypes, newer_than, older_than, filter_incident_state } =
    params
  return {
    filter: {
      ...(filter_incident_state !== 'all' && {
        acknowledged: filter_incident_state === 'acknowledged' ? 1 : 0,
      }),
      ...(node_id !== undefined && { nodeId: node_id }),
      ...(flock_id !== undefined && { flockId: flock_id }),
      ...(filter_str !== undefined && { text: filter_str }),
      ...(filter_logtypes !== undefined && { logtypes: commaSeparated(filter_logtypes) }),
      ...(newer_than !== undefined && { createdAfter: afterSecond(parseListTime(newer_than, 'newer_than')) }),
      ...(older_than !== undefined && { createdBefore: parseListTime(older_than, 'older_than') }),
    },
    order: 'newest',
    limit: clampLimit(params.limit) ?? PAGE,
    page: 1,
  }
}

const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
