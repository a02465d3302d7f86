// `incidents/search`: newest first, with totals and the sources behind them.
import { JsonStream } from '@rookery/contract/implement.ts'
import type { incidentQueries } from '@rookery/contract/groups/incident-queries.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { parseListTime } from '@rookery/kernel/time.ts'
import type { Base } from '../../base.ts'
import type { Scope } from '../../db/query.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Found, Totals } from '../../incidents/finding/request.ts'
import { searchedIncident } from '../../incidents/search.ts'
import { readCursor } from '../../secrets/cursor.ts'
import type { Vault } from '../../secrets/vault.ts'
import { eventsOf } from '../../stores/incidents/events.store.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import type { PreviouslySeen } from '../../stores/incidents/seen.store.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks } from '../../http/cursor-links.ts'
import type { KeptTotals } from './kept-totals.ts'
import { afterSecond, clampLimit, commaSeparated, cutPage, type ListRequest } from './list-request.ts'
import { portions } from './portions.ts'

type Search = (typeof incidentQueries)['search']

/** Bird records (2.5) by node id, of those that the scope may see. */
export type BirdRecords = (nodeIds: readonly string[], scope: Scope) => Promise<ReadonlyMap<string, object>>

export interface Searching extends Pick<Base, 'engine' | 'reader' | 'vault' | 'world' | 'finder'> {
  readonly assets: Pick<Assets, 'index'>
  readonly birdRecords: BirdRecords
  readonly keptTotals: KeptTotals
  readonly previouslySeen: PreviouslySeen
}

const LIST = '/incidents/search'
const PAGE = 100

/** Finds first, so that whatever goes wrong is still an answer of its own; then streams. */
export async function search(base: Searching, params: Params<Search>, call: Call): Promise<JsonStream> {
  const { scope } = call.caller
  const request = readSearchRequest(params, base.vault)
  // Later pages of a search show the totals of its first one, while they are fresh.
  const kept = params.cursor === undefined ? undefined : base.keptTotals.find(scope, request.filter)
  const { page, totals = kept } = await base.finder.find({
    scope,
    filter: request.filter,
    page: { ...request, limit: request.limit + 1 },
    totals: kept === undefined,
  })
  if (kept === undefined && totals) base.keptTotals.keep(scope, request.filter, totals)
  return new JsonStream(pieces(base, request, page, totals ?? NONE, call))
}

const NONE: Totals = { total: 0, bySource: [] }

async function* pieces(
  base: Searching,
  request: ListRequest & { readonly limit: number },
  found: Found['page'],
  { total, bySource }: Totals,
  call: Call,
): AsyncGenerator<string> {
  const { rows, next, prev } = cutPage(request, found, LIST, base.vault)
  const head = {
    result: 'success',
    cursor: cursorLinks({ next, prev }, LIST, call),
    incident_source_counts: Object.fromEntries(bySource),
    page_number: request.page,
    total_pages: Math.max(1, Math.ceil(total / request.limit)),
    total_results: total,
  }
  let text = `${JSON.stringify(head).slice(0, -1)},"incidents":[`
  let separator = ''
  for await (const portion of portions(base.reader, base.engine.name, rows)) {
    for (const shown of await render(base, portion, call.caller.scope)) {
      text += separator + shown
      separator = ','
    }
    yield text
    text = ''
  }
  yield `${text}]}\n`
}

async function render(
  { engine, reader, world, birdRecords, assets, previouslySeen }: Searching,
  rows: readonly IncidentRow[],
  scope: Scope,
): Promise<string[]> {
  const ids = rows.map((row) => row.incident_id)
  const [events, seen, hosts] = await Promise.all([
    eventsOf(reader, engine.name, ids),
    previouslySeen.of(rows),
    birdRecords([...new Set(rows.map((row) => row.node_id))], scope),
  ])
  const book = await assets.index()
  const now = world.clock.now()
  return rows.map((row) =>
    JSON.stringify(
      searchedIncident(row, events.get(row.incident_id) ?? [], {
        now,
        host: (hosts.get(row.node_id) ?? {}) as Record<string, unknown>,
        asset: book.at(row.src_host),
        previouslySeen: seen.get(row.incident_id) ?? 0,
      }),
    ),
  )
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
