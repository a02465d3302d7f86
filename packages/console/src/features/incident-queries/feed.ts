// The three feeds, streamed: only a few pages of a list are in memory at a time.
import { JsonStream } from '@rookery/contract/implement.ts'
import { checkTimeZone, epoch, httpDate, std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { coalesceBy } from '../../db/coalesce.ts'
import type { Scope } from '../../db/query.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import { emptyAssetIndex, type AssetIndex } from '../../flows/assets/asset-index.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks, type Cursors } from '../../http/cursor-links.ts'
import { listingJson } from '../../views/incidents/listing.ts'
import type { IncidentTextCache } from '../../views/incidents/incident-text-cache.ts'
import { flockNames } from '../../stores/flocks/store.ts'
import { changedPage } from '../../stores/incidents/changes.store.ts'
import { isOfToken, type ListFilter } from '../../stores/incidents/filter.store.ts'
import { incidentPage, type Order, type Page, type PageRow } from '../../stores/incidents/list.store.ts'
import { eventsOf, incidentsById } from '../../stores/incidents/one.store.ts'
import { searchPage } from '../../stores/incidents/search.store.ts'
import { type FeedRequest, type ListRequest, type ListView } from './list-request.ts'
import { cutPage } from '../../views/incidents/cut-page.ts'
import { byEvents } from './portions.ts'

export interface FeedOptions {
  readonly feed: string
  /** The path behind `/api/v1`, for links, and the list that cursors belong to. */
  readonly path: string
}

export interface FeedDeps extends Pick<AppContext, 'engine' | 'reader' | 'vault' | 'world' | 'config'> {
  readonly rendered: IncidentTextCache
  readonly readPage: ReadPage
  readonly assets: Pick<Assets, 'index'>
}

/** Rows whose events are in memory at once. */
const ROWS_AT_ONCE = 100
/** Rows of a page where each page is a search. */
const ROWS_OF_SEARCH = 5_000
/** Beyond this, a list does not use the cache of rendered texts: it would evict those of frequent requests. */
const CACHED_ROWS = 1_000
/** Characters that are buffered before they are sent. */
const MAX_PIECE = 262_144

export function feedAnswer(
  base: FeedDeps,
  request: FeedRequest,
  options: FeedOptions,
  call: Call,
): JsonStream {
  checkTimeZone(request.view.tz)
  return new JsonStream(pieces(base, request, options, call))
}

async function* pieces(
  base: FeedDeps,
  request: FeedRequest,
  options: FeedOptions,
  call: Call,
): AsyncGenerator<string> {
  const { feed } = options
  const { tz } = request.view
  const last = (await base.engine.commitSequence()).updated_id
  // A whole list is read in portions. An incident that changes meanwhile must stay above `max_updated_id`.
  const bound = request.limit === undefined ? last : Infinity
  let cursor: object = { next: null, next_link: null, prev: null, prev_link: null }
  let largest = 0
  let shown = 0
  let text = `{"result":"success","feed":${JSON.stringify(feed)},"incidents":[`

  // Most polls find nothing: no `updated_id` was given since.
  const isNew = last > (request.filter.updatedIdAbove ?? -1)
  const names = isNew ? await base.config.get('flock names', flockNames) : new Map<string, string>()
  const assetIndex = isNew ? await base.assets.index() : emptyAssetIndex
  const onCursors = (made: Cursors): void => void (cursor = cursorLinks(made, options.path, call))

  for await (const rows of isNew ? pages(base, call.caller.scope, request, options, onCursors) : []) {
    const shape = { ...request.view, order: request.order, caches: shown < CACHED_ROWS }
    for await (const incident of render(base, rows, shape, names, assetIndex)) {
      text += shown++ === 0 ? incident : `,${incident}`
      if (text.length < MAX_PIECE) continue
      yield text
      text = ''
    }
    for (const { updated_id } of rows) largest = Math.max(largest, Math.min(updated_id, bound))
    // A short list is sent in one piece.
    if (rows.length < ROWS_AT_ONCE) continue
    yield text
    text = ''
  }
  const now = base.world.clock.now()
  const tail = {
    cursor,
    ...(shown > 0 && { max_updated_id: largest }),
    updated: httpDate(now),
    updated_std: std(now, tz),
    updated_timestamp: epoch(now),
  }
  yield `${text}],${JSON.stringify(tail).slice(1)}\n`
}

/** The rows as JSON: cached texts, and the others loaded with their events, in portions bounded by the number of events. */
async function* render(
  { reader, engine, rendered }: FeedDeps,
  rows: readonly PageRow[],
  {
    tz,
    shrink,
    eventLimit,
    order,
    caches,
  }: ListView & Pick<ListRequest, 'order'> & { readonly caches: boolean },
  names: ReadonlyMap<string, string>,
  assets: AssetIndex,
): AsyncGenerator<string> {
  const variantOf = (row: PageRow): string =>
    `${tz} ${shrink} ${eventLimit} ${assets.edition} ${names.get(row.flock_id)}`
  const cached = caches
    ? new Map(rows.map((row) => [row.incident_id, rendered.get(row, variantOf(row))]))
    : undefined
  const missing = rows.map((row) => row.incident_id).filter((id) => cached?.get(id) === undefined)
  const whole = await incidentsById(reader, engine.name, missing)
  // Equal events are left out before the limit counts.
  const newest = shrink && eventLimit !== 0 ? undefined : eventLimit
  const weighed = rows.map((row) => {
    const full = whole.get(row.incident_id)
    return { row, full, events_count: Math.min(full?.events_count ?? 0, newest ?? Infinity) }
  })
  for (const portion of byEvents(weighed)) {
    const ids = portion.flatMap(({ full }) => full?.incident_id ?? [])
    const events = await eventsOf(reader, engine.name, ids, newest)
    for (const { row, full } of portion) {
      const text = cached?.get(row.incident_id)
      if (text !== undefined) yield text
      if (!full) continue
      // The incident changed since the page was read, and now comes later in the list: showing it here would make
      // `max_updated_id` skip the incidents between.
      if (order === 'updated' && full.updated_id !== row.updated_id) continue
      const made = listingJson(full, events.get(row.incident_id) ?? [], {
        assets,
        tz,
        shrink,
        eventLimit,
        flockNames: names,
      })
      // Cached by the version of the page: if the incident changed since, the text belongs to another version.
      if (caches && full.updated_id === row.updated_id) rendered.set(row, variantOf(row), made)
      yield made
    }
  }
}

/** The rows in portions; a paged list calls `onCursors`. */
async function* pages(
  base: FeedDeps,
  scope: Scope,
  request: ListRequest,
  { path }: FeedOptions,
  onCursors: (cursors: Cursors) => void,
): AsyncGenerator<readonly PageRow[]> {
  const read = pageReader(base, scope, request)
  if (request.limit !== undefined) {
    const limited = { ...request, limit: request.limit }
    const page = cutPage(limited, await read({ ...limited, limit: limited.limit + 1 }), path, base.vault)
    onCursors(page)
    yield* portionsOf(page.rows)
    return
  }
  const limit = isOfToken(request.filter) ? ROWS_OF_SEARCH : ROWS_AT_ONCE
  let from: PageRow | undefined
  do {
    const rows = await read({ limit, ...(from && { from }) })
    from = rows.length === limit ? rows.at(-1) : undefined
    yield* portionsOf(rows)
  } while (from)
}

interface AskedPage {
  readonly scope: Scope
  readonly filter: ListFilter
  readonly order: Order | 'updated'
  readonly page: Page
}

type ReadPage = (asked: AskedPage) => Promise<readonly PageRow[]>

/** Reads pages by their index. Pollers often ask for the same page at the same time: they share one read. */
export const openReadPage = ({ reader }: Pick<AppContext, 'reader'>): ReadPage =>
  coalesceBy(JSON.stringify, ({ scope, filter, order, page }) =>
    order === 'updated'
      ? changedPage(reader, scope, filter, page)
      : incidentPage(reader, scope, filter, order, page),
  )

/** Reads pages of the list by its index; those of a token by a search, for no index has them. */
function pageReader(
  { readPage, engine }: FeedDeps,
  scope: Scope,
  { filter, order }: ListRequest,
): (page: Page) => Promise<readonly PageRow[]> {
  if (order === 'updated' || !isOfToken(filter)) return (page) => readPage({ scope, filter, order, page })
  return async ({ from, backward = false, limit }) => {
    const page = { backward: !backward, limit, ...(from && { from }) }
    return (await searchPage(engine, { scope, filter }, page)).toReversed()
  }
}

function* portionsOf(rows: readonly PageRow[]): Generator<readonly PageRow[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
