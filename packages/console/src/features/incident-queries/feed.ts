// The three feeds, streamed: however long the list, only a few pages of it are in memory.
import { JsonStream } from '@rookery/contract/implement.ts'
import { checkTimeZone, epoch, httpDate, std } from '@rookery/kernel/time.ts'
import type { Base } from '../../base.ts'
import { coalesceBy } from '../../db/coalesce.ts'
import type { Scope } from '../../db/query.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import { emptyAssetIndex, type AssetIndex } from '../../flows/assets/asset-index.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks, type Cursors } from '../../http/cursor-links.ts'
import { listingJson } from '../../incidents/listing.ts'
import type { Rendered } from '../../incidents/rendered.ts'
import { flockNames } from '../../stores/flocks/store.ts'
import { eventsOf } from '../../stores/incidents/events.store.ts'
import { isOfToken, type IncidentFilter } from '../../stores/incidents/filter.store.ts'
import {
  incidentPage,
  incidentsById,
  type PageRequest,
  type PageRow,
} from '../../stores/incidents/page.store.ts'
import { cutPage, type ListRequest } from './list-request.ts'
import { byEvents } from './portions.ts'

export interface FeedOptions {
  readonly feed: string
  /** The path behind `/api/v1`, for links, and the list that cursors belong to. */
  readonly path: string
  readonly tz: string
  readonly shrink: boolean
  readonly eventLimit: number | undefined
}

export interface Reading extends Pick<Base, 'engine' | 'reader' | 'vault' | 'world' | 'config' | 'finder'> {
  readonly rendered: Rendered
  readonly readPage: ReadPage
  readonly assets: Pick<Assets, 'index'>
}

/** Rows whose events are in memory at once. */
const ROWS_AT_ONCE = 100
/** Rows that one pass of a search finds. */
const ROWS_OF_PASS = 5_000
/** Of a longer list the rest is neither looked up nor kept: it would push out what is shown again and again. */
const KEPT_ROWS = 1_000
/** What a reader may have to wait for, characters. */
const LONGEST_PIECE = 262_144

export function feedAnswer(
  base: Reading,
  request: ListRequest,
  options: FeedOptions,
  call: Call,
): JsonStream {
  checkTimeZone(options.tz)
  return new JsonStream(pieces(base, request, options, call))
}

async function* pieces(
  base: Reading,
  request: ListRequest,
  options: FeedOptions,
  call: Call,
): AsyncGenerator<string> {
  const { tz, feed } = options
  const last = (await base.engine.commitSequence()).updated_id
  // A whole list is read in portions: what changes meanwhile must stay above the number that a poller goes on from.
  const bound = request.limit === undefined ? last : Infinity
  let cursor: object = { next: null, next_link: null, prev: null, prev_link: null }
  let largest = 0
  let first = true
  let streamed = 0
  let text = `{"result":"success","feed":${JSON.stringify(feed)},"incidents":[`

  // Most polls find nothing: no number past the one that the poller knows has been given.
  const isNew = last > (request.filter.updatedIdAbove ?? -1)
  const names = isNew ? await base.config.get('flock names', flockNames) : new Map<string, string>()
  const book = isNew ? await base.assets.index() : emptyAssetIndex
  const hear = (made: Cursors): void => void (cursor = cursorLinks(made, options.path, call))

  for await (const rows of isNew ? pages(base, call.caller.scope, request, options, hear) : []) {
    const shape = { ...options, order: request.order, keeps: streamed < KEPT_ROWS }
    streamed += rows.length
    for await (const shown of render(base, rows, shape, names, book)) {
      text += first ? shown : `,${shown}`
      first = false
      if (text.length < LONGEST_PIECE) continue
      yield text
      text = ''
    }
    for (const { updated_id } of rows) largest = Math.max(largest, Math.min(updated_id, bound))
    // A short list leaves in one piece.
    if (rows.length < ROWS_AT_ONCE) continue
    yield text
    text = ''
  }
  const now = base.world.clock.now()
  const tail = {
    cursor,
    ...(!first && { max_updated_id: largest }),
    updated: httpDate(now),
    updated_std: std(now, tz),
    updated_timestamp: epoch(now),
  }
  yield `${text}],${JSON.stringify(tail).slice(1)}\n`
}

/** The rows' texts: kept ones, and the others loaded with their events, a few at a time where these are many. */
async function* render(
  { reader, engine, rendered }: Reading,
  rows: readonly PageRow[],
  {
    tz,
    shrink,
    eventLimit,
    order,
    keeps,
  }: FeedOptions & Pick<ListRequest, 'order'> & { readonly keeps: boolean },
  names: ReadonlyMap<string, string>,
  assets: AssetIndex,
): AsyncGenerator<string> {
  const variantOf = (row: PageRow): string =>
    `${tz} ${shrink} ${eventLimit} ${assets.edition} ${names.get(row.flock_id)}`
  const kept = keeps
    ? new Map(rows.map((row) => [row.incident_id, rendered.find(row, variantOf(row))]))
    : undefined
  const missing = rows.map((row) => row.incident_id).filter((id) => kept?.get(id) === undefined)
  const whole = await incidentsById(reader, engine.name, missing)
  const weighed = rows.map((row) => {
    const full = whole.get(row.incident_id)
    return { row, full, events_count: Math.min(full?.events_count ?? 0, eventLimit ?? Infinity) }
  })
  for (const portion of byEvents(weighed)) {
    const ids = portion.flatMap(({ full }) => full?.incident_id ?? [])
    const events = await eventsOf(reader, engine.name, ids, eventLimit)
    for (const { row, full } of portion) {
      const text = kept?.get(row.incident_id)
      if (text !== undefined) yield text
      if (!full) continue
      // It has changed since the page was read, and stands further on: whoever polls from the largest number that he
      // has seen must not be led past what lies between.
      if (order === 'updated' && full.updated_id !== row.updated_id) continue
      const made = listingJson(full, events.get(row.incident_id) ?? [], {
        assets,
        tz,
        shrink,
        flockNames: names,
      })
      // Keyed by the version that was read: if it changed since the page was, the next list makes it anew.
      if (keeps && full.updated_id === row.updated_id) rendered.keep(row, variantOf(row), made)
      yield made
    }
  }
}

/** The rows in portions; `onCursors` hears the cursors of a paged list. */
async function* pages(
  base: Reading,
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
  const limit = isOfToken(request.filter) ? ROWS_OF_PASS : ROWS_AT_ONCE
  let from: PageRow | undefined
  do {
    const rows = await read({ order: request.order, limit, ...(from && { from }) })
    from = rows.length === limit ? rows.at(-1) : undefined
    yield* portionsOf(rows)
  } while (from)
}

interface AskedPage {
  readonly scope: Scope
  readonly filter: IncidentFilter
  readonly page: PageRequest
}

type ReadPage = (asked: AskedPage) => Promise<readonly PageRow[]>

/** Reads pages by their index. Those who follow one list ask the same of it again and again, and often at once. */
export const openReadPage = ({ reader, engine }: Pick<Base, 'reader' | 'engine'>): ReadPage =>
  coalesceBy(JSON.stringify, ({ scope, filter, page }) =>
    incidentPage(reader, engine.name, scope, filter, page),
  )

/** Reads pages of the list: by its index, or, of one token, as a search that begins with the oldest. */
function pageReader(
  { readPage, finder }: Reading,
  scope: Scope,
  { filter, order }: ListRequest,
): (page: PageRequest) => Promise<readonly PageRow[]> {
  if (order === 'updated' || !isOfToken(filter)) return (page) => readPage({ scope, filter, page })
  return async ({ from, backward = false, limit }) => {
    const page = { backward: !backward, limit, ...(from && { from }) }
    return (await finder.find({ scope, filter, page })).page.toReversed()
  }
}

function* portionsOf(rows: readonly PageRow[]): Generator<readonly PageRow[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
}
