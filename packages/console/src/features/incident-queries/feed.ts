// The three feeds, streamed: however long the list, only a few pages of it are in memory.
import { JsonStream } from '@rookery/contract/implement.ts'
import { checkTimeZone, epoch, httpDate, std } from '@rookery/kernel/time.ts'
import type { Base } from '../../base.ts'
import type { Scope } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { listingJson } from '../../incidents/listing.ts'
import { flockNames } from '../../stores/flocks/store.ts'
import { eventsOf } from '../../stores/incidents/events.store.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import { incidentPage } from '../../stores/incidents/page.store.ts'
import { cutPage, type ListRequest } from './list-request.ts'

export interface FeedOptions {
  readonly feed: string
  /** The path behind `/api/v1`, for links, and the list that cursors belong to. */
  readonly path: string
  readonly tz: string
  readonly shrink: boolean
  readonly eventLimit: number | undefined
}

type Reading = Pick<Base, 'engine' | 'reader' | 'vault' | 'world' | 'config'>

/** Rows whose events are in memory at once. */
const ROWS_AT_ONCE = 100

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
  const names = await base.config.get('flock names', flockNames)
  let cursor: object = { next: null, next_link: null, prev: null, prev_link: null }
  let largest = 0
  let first = true
  let text = `{"result":"success","feed":${JSON.stringify(feed)},"incidents":[`

  for await (const rows of pages(
    base,
    call.caller.scope,
    request,
    options,
    (made) => (cursor = links(made, options, call)),
  )) {
    const events = await eventsOf(
      base.reader,
      base.engine.name,
      rows.map((row) => row.incident_id),
      options.eventLimit,
    )
    for (const row of rows) {
      largest = Math.max(largest, row.updated_id)
      text += first ? '' : ','
      first = false
      text += listingJson(row, events.get(row.incident_id) ?? [], {
        tz,
        shrink: options.shrink,
        flockNames: names,
      })
    }
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

type Cursors = { readonly next: string | null; readonly prev: string | null }

/** The rows in portions; `onCursors` hears the cursors of a paged list. */
async function* pages(
  { reader, engine, vault }: Reading,
  scope: Scope,
  request: ListRequest,
  { path }: FeedOptions,
  onCursors: (cursors: Cursors) => void,
): AsyncGenerator<readonly IncidentRow[]> {
  if (request.limit !== undefined) {
    const limited = { ...request, limit: request.limit }
    const fetched = await incidentPage(reader, engine.name, scope, request.filter, {
      ...limited,
      limit: limited.limit + 1,
    })
    const page = cutPage(limited, fetched, path, vault)
    onCursors(page)
    for (let at = 0; at < page.rows.length; at += ROWS_AT_ONCE) yield page.rows.slice(at, at + ROWS_AT_ONCE)
    return
  }
  let from: IncidentRow | undefined
  do {
    const rows: readonly IncidentRow[] = await incidentPage(reader, engine.name, scope, request.filter, {
      order: request.order,
      limit: ROWS_AT_ONCE,
      ...(from && { from }),
    })
    from = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined
    yield rows
  } while (from)
}

function links({ next, prev }: Cursors, { path }: FeedOptions, { baseUrl, keyInQuery }: Call): object {
  const link = (cursor: string | null): string | null => {
    if (cursor === null) return null
    const query = new URLSearchParams({ cursor, ...(keyInQuery !== undefined && { auth_token: keyInQuery }) })
    return `${baseUrl}/api/v1${path}?${query.toString()}`
  }
  return { next, next_link: link(next), prev, prev_link: link(prev) }
}
