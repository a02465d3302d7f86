// `incidents/search`: newest first, with totals and the largest sources.
import { CURSOR_LENGTH } from '@rookery/contract/fields.ts'
import { JsonStream } from '@rookery/contract/implement.ts'
import type { incidentQueries } from '@rookery/contract/groups/incident-queries.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { afterSecond, parseListTime } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Scope } from '../../db/query.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import { channelsOfIncidents } from '../../notify/chat-channels.ts'
import { searchedIncident } from '../../views/incidents/search.ts'
import { readCursor } from '../../secrets/cursor.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { IncidentRow, SearchFilter } from '../../stores/incidents/filter.store.ts'
import type { PageRow } from '../../stores/incidents/list.store.ts'
import { eventsOf } from '../../stores/incidents/one.store.ts'
import { searchPage, searchWithTotals, type Totals } from '../../stores/incidents/search.store.ts'
import type { PreviouslySeen } from '../../stores/incidents/sources.store.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks } from '../../http/cursor-links.ts'
import { clampLimit, commaSeparated, type ListRequest } from './list-request.ts'
import { cutPage } from '../../views/incidents/cut-page.ts'
import { portions } from './portions.ts'
import type { TotalsCache } from '../../views/incidents/totals-cache.ts'

type Search = (typeof incidentQueries)['search']

/** Bird records (2.5) by node id, of those that the scope may see. */
export type BirdRecords = (nodeIds: readonly string[], scope: Scope) => Promise<ReadonlyMap<string, object>>

export interface SearchDeps extends Pick<AppContext, 'engine' | 'reader' | 'vault' | 'world'> {
  readonly assets: Pick<Assets, 'index'>
  readonly birdRecords: BirdRecords
  readonly totalsCache: TotalsCache
  readonly previouslySeen: PreviouslySeen
}

const LIST = '/incidents/search'
const PAGE = 100
/** Bytes of a filter as JSON: in base64, with the position and the signature, a cursor of it is one that is taken. */
const MAX_FILTER = (CURSOR_LENGTH * 3) / 4 - 512

/** Searches first, so that a failure still has its own HTTP status; then streams. */
export async function search(base: SearchDeps, params: Params<Search>, call: Call): Promise<JsonStream> {
  const request = readSearchRequest(params, base.vault)
  const asked = { scope: call.caller.scope, filter: request.filter }
  const page = { ...request, limit: request.limit + 1 }
  // Later pages show the totals of the first page while these are fresh.
  const cached = params.cursor === undefined ? undefined : base.totalsCache.find(asked)
  if (cached) {
    const rows = await searchPage(base.engine, asked, page)
    return new JsonStream(pieces(base, request, rows, cached, call))
  }
  const found = await searchWithTotals(base.engine, asked, page)
  base.totalsCache.store(asked, found.totals)
  return new JsonStream(pieces(base, request, found.page, found.totals, call))
}

type SearchRequest = ListRequest<SearchFilter> & { readonly limit: number }

async function* pieces(
  base: SearchDeps,
  request: SearchRequest,
  found: readonly PageRow[],
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
  { engine, reader, vault, world, birdRecords, assets, previouslySeen }: SearchDeps,
  rows: readonly IncidentRow[],
  scope: Scope,
): Promise<string[]> {
  const ids = rows.map((row) => row.incident_id)
  const [events, seen, hosts, channels] = await Promise.all([
    eventsOf(reader, engine.name, ids),
    previouslySeen.of(rows),
    birdRecords([...new Set(rows.map((row) => row.node_id))], scope),
    channelsOfIncidents(reader, vault, ids),
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
        chatChannel: channels.get(row.incident_id) ?? '',
      }),
    ),
  )
}

function readSearchRequest(params: Params<Search>, vault: Vault): SearchRequest {
  if (params.cursor !== undefined) return readCursor(vault, LIST, params.cursor) as SearchRequest
  const { node_id, flock_id, filter_str, filter_logtypes, newer_than, older_than, filter_incident_state } =
    params
  const filter: SearchFilter = {
    ...(filter_incident_state !== 'all' && {
      acknowledged: filter_incident_state === 'acknowledged' ? 1 : 0,
    }),
    ...(node_id !== undefined && { nodeId: node_id }),
    ...(flock_id !== undefined && { flockId: flock_id }),
    ...(filter_str !== undefined && { text: filter_str }),
    ...(filter_logtypes !== undefined && { logtypes: [...new Set(commaSeparated(filter_logtypes))] }),
    ...(newer_than !== undefined && { createdAfter: afterSecond(parseListTime(newer_than, 'newer_than')) }),
    ...(older_than !== undefined && { createdBefore: parseListTime(older_than, 'older_than') }),
  }
  if (Buffer.byteLength(JSON.stringify(filter)) > MAX_FILTER)
    throw invalidParameter('filter_logtypes', 'has too many entries for the cursor of a next page')
  return { filter, order: 'newest', limit: clampLimit(params.limit) ?? PAGE, page: 1 }
}
