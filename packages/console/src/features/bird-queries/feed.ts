// The three lists of Birds, streamed: a list of ten thousand does not block other requests.
import { JsonStream } from '@rookery/contract/implement.ts'
import { checkTimeZone, epoch, httpDate, std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { birdLister } from '../../views/birds/listing.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Page } from './page.ts'
import type { Scope } from '../../db/query.ts'
import { birdPages, type ListedBird } from '../../stores/birds/lists.store.ts'

export interface BirdFeed {
  readonly feed: string
  readonly page: Page
  /** The cursor of the page behind this Bird. */
  readonly nextAfter: (bird: ListedBird) => { readonly next: string; readonly next_link: string }
  readonly live?: 0 | 1
  /** Which of these Birds belong to the list; all where it is left out. */
  readonly includes?: (bird: ListedBird) => boolean
}

type FeedDeps = Pick<AppContext, 'engine' | 'reader' | 'world'> & { readonly assets: Pick<Assets, 'index'> }

/** Rejects with `bad-input` for an unknown time zone. */
export async function birdFeed(base: FeedDeps, scope: Scope, options: BirdFeed): Promise<JsonStream> {
  checkTimeZone(options.page.tz)
  return new JsonStream(chunks(base, scope, options))
}

const NO_NEXT = { next: null, next_link: null }

async function* chunks(
  { reader, engine, world, assets }: FeedDeps,
  scope: Scope,
  { feed, page, nextAfter, live, includes }: BirdFeed,
): AsyncGenerator<string> {
  const { tz, limit = Infinity, after } = page
  const now = world.clock.now()
  const format = birdLister({ tz, now, assets: await assets.index() })
  let text = '{"result":"success","devices":['
  let shown = 0
  let last: ListedBird | undefined
  let cursor: { readonly next: string; readonly next_link: string } | undefined
  const filter = { state: 'registered' as const, ...(live !== undefined && { live }) }
  // One more than the page tells whether there is another; how many a list of some must read, nobody knows.
  const portion = { ...(after && { after }), ...(!includes && { most: limit + 1 }) }
  for await (const birds of birdPages(reader, engine.name, scope, filter, portion)) {
    for (const bird of birds) {
      if (includes && !includes(bird)) continue
      if (shown === limit) {
        cursor = last && nextAfter(last)
        break
      }
      text += (shown++ === 0 ? '' : ',') + format(bird)
      last = bird
    }
    yield text
    text = ''
    if (cursor) break
    // SQLite reads the next page in this thread: other requests run first.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const tail = {
    ...(page.limit !== undefined && { cursor: cursor ?? NO_NEXT }),
    feed,
    updated: httpDate(now),
    updated_std: std(now, tz),
    updated_timestamp: epoch(now),
  }
  yield `],${JSON.stringify(tail).slice(1)}\n`
}
