// `incidents/rows`: pages by key, an exact total, and what changed since the caller last asked.
import type { incidentViews } from '@rookery/contract/groups/incident-views.ts'
import type { Answer, Params } from '@rookery/contract/operation.ts'
import { invalidParameter } from '@rookery/kernel/fault.ts'
import { afterSecond, parseListTime } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Scope } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks } from '../../http/cursor-links.ts'
import { checkedLogtypes, logtypesOfLevelNames } from '../../logtypes.ts'
import { readCursor } from '../../secrets/cursor.ts'
import type { Vault } from '../../secrets/vault.ts'
import { changedPage } from '../../stores/incidents/changes.store.ts'
import { countIncidents, lastUpdatedId } from '../../stores/incidents/counts.store.ts'
import type { SearchFilter } from '../../stores/incidents/filter.store.ts'
import type { PageRow } from '../../stores/incidents/list.store.ts'
import { incidentsById } from '../../stores/incidents/one.store.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { searchPage, searchWithTotals, type Search } from '../../stores/incidents/search.store.ts'
import { sourceFilter } from '../../stores/incidents/source-range.ts'
import { cutPage, type ListPage } from '../../views/incidents/cut-page.ts'
import type { TotalsCache } from '../../views/incidents/totals-cache.ts'
import type { RenderRows } from './render-rows.ts'

type Rows = (typeof incidentViews)['rows']
type RowsRequest = ListPage<SearchFilter>

interface RowsDeps extends Pick<AppContext, 'engine' | 'reader' | 'vault'> {
  readonly totals: TotalsCache
  readonly render: RenderRows
}

const LIST = '/incidents/rows'
const PAGE = 100
/** A caller that missed more lists anew. */
const MAX_CHANGES = 1_000

export async function rows(base: RowsDeps, params: Params<Rows>, call: Call): Promise<Answer<Rows>> {
  const { engine, reader, vault, render } = base
  const { scope } = call.caller
  const request = readRequest(params, vault)
  if (request.filter.flockId !== undefined) await existingFlock(reader, scope, request.filter.flockId)
  // Read before the page: a change in between is reported once more, and not missed.
  const max_updated_id = await lastUpdatedId(reader)
  if (params.changed_since !== undefined)
    return {
      ...(await changes(base, request.filter, { since: params.changed_since, now: max_updated_id }, scope)),
      max_updated_id,
    }
  const page = { ...request, limit: request.limit + 1 }
  const asked = { scope, filter: request.filter }
  const known = await knownTotal(base, asked, max_updated_id)
  const found =
    known === undefined
      ? await searchWithTotals(engine, asked, page)
      : { page: await searchPage(engine, asked, page), totals: undefined }
  if (found.totals) base.totals.store(asked, found.totals, max_updated_id)
  const { rows: shown, ...cursors } = cutPage(request, found.page, LIST, vault)
  return {
    rows: await render(shown, scope),
    total: known ?? found.totals?.total ?? 0,
    max_updated_id,
    gone: [],
    is_complete: true,
    cursor: cursorLinks(cursors, LIST, call),
  }
}

/** The total where it is counted anyway, or nothing has changed since it was counted; undefined where a search has to count. */
async function knownTotal(
  { reader, totals }: RowsDeps,
  search: Search,
  updatedId: number,
): Promise<number | undefined> {
  const { acknowledged, flockId, ...others } = search.filter
  if (Object.keys(others).length === 0)
    return countIncidents(reader, search.scope, {
      ...(acknowledged !== undefined && { acknowledged }),
      ...(flockId !== undefined && { flockId }),
    })
  return totals.find(search, updatedId)?.total
}

/** What changed: as a row where it matches the filter now, else as gone. */
async function changes(
  base: RowsDeps,
  filter: SearchFilter,
  { since, now }: { readonly since: number; readonly now: number },
  scope: Scope,
): Promise<Omit<Answer<Rows>, 'max_updated_id'>> {
  const { engine, reader, render } = base
  const changed = await changedPage(
    reader,
    scope,
    { updatedIdAbove: since, withDeleted: true },
    { limit: MAX_CHANGES + 1 },
  )
  const cursor = { next: null, next_link: null, prev: null, prev_link: null }
  const total = async (): Promise<number> => {
    const known = await knownTotal(base, { scope, filter }, now)
    if (known !== undefined) return known
    const { totals } = await searchWithTotals(engine, { scope, filter }, { limit: 1 })
    base.totals.store({ scope, filter }, totals, now)
    return totals.total
  }
  if (changed.length > MAX_CHANGES)
    return { rows: [], gone: [], total: await total(), is_complete: false, cursor }
  const ids = changed.map(({ incident_id }) => incident_id)
  const matching: readonly PageRow[] =
    ids.length === 0
      ? []
      : await searchPage(engine, { scope, filter: { ...filter, ids } }, { limit: MAX_CHANGES })
  const matches = new Set(matching.map(({ incident_id }) => incident_id))
  const gone = await incidentsById(
    reader,
    engine.name,
    ids.filter((id) => !matches.has(id)),
  )
  return {
    rows: await render(matching, scope),
    gone: [...gone.values()].map(({ hash_id }) => hash_id),
    total: await total(),
    is_complete: true,
    cursor,
  }
}

function readRequest(params: Params<Rows>, vault: Vault): RowsRequest {
  if (params.cursor !== undefined) return readCursor(vault, LIST, params.cursor) as RowsRequest
  return { filter: filterOf(params), order: 'newest', limit: params.limit ?? PAGE, page: 1 }
}

export function filterOf(params: Params<(typeof incidentViews)['export']>): SearchFilter {
  const { state, level, logtype, flock_id, node_id, decoytoken, source, filter_str } = params
  if (node_id !== undefined && decoytoken !== undefined)
    throw invalidParameter('decoytoken', 'cannot be used together with node_id')
  const nodeId = node_id ?? decoytoken
  const logtypes = logtypesOf(level, logtype)
  return {
    ...(state !== 'all' && { acknowledged: state === 'acknowledged' ? 1 : 0 }),
    ...(flock_id !== undefined && { flockId: flock_id }),
    ...(nodeId !== undefined && { nodeId }),
    ...(source !== undefined && { srcHost: sourceFilter(source, 'source') }),
    ...(params.of_one_source && { ofOneSource: true as const }),
    ...(logtypes && { logtypes }),
    ...(filter_str !== undefined && { text: filter_str }),
    ...(params.newer_than !== undefined && {
      createdAfter: afterSecond(parseListTime(params.newer_than, 'newer_than')),
    }),
    ...(params.older_than !== undefined && {
      createdBefore: parseListTime(params.older_than, 'older_than'),
    }),
  }
}

/** The logtypes of both filters; none at all matches nothing. */
function logtypesOf(level: string | undefined, logtype: string | undefined): string[] | undefined {
  const named = logtype === undefined ? undefined : checkedLogtypes(logtype, 'logtype')
  if (level === undefined) return named
  const ofLevels = logtypesOfLevelNames(level, 'level')
  return named === undefined ? ofLevels : ofLevels.filter((it) => named.includes(it))
}
