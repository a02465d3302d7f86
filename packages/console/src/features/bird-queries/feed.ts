// The three lists of Birds, streamed: a list of ten thousand does not block other requests.
import { JsonStream } from '@rookery/contract/implement.ts'
import { checkTimeZone, epoch, httpDate, std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import { birdLister } from '../../views/birds/listing.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Scope } from '../../db/query.ts'
import { birdPages, type ListedBird } from '../../stores/birds/lists.store.ts'

export interface BirdFeed {
  readonly feed: string
  readonly tz: string
  readonly live?: 0 | 1
  /** Which of these Birds belong to the list; all where it is left out. */
  readonly includes?: (bird: ListedBird) => boolean
}

type FeedDeps = Pick<AppContext, 'engine' | 'reader' | 'world'> & { readonly assets: Pick<Assets, 'index'> }

/** Rejects with `bad-input` for an unknown time zone. */
export async function birdFeed(base: FeedDeps, scope: Scope, options: BirdFeed): Promise<JsonStream> {
  checkTimeZone(options.tz)
  return new JsonStream(chunks(base, scope, options))
}

async function* chunks(
  { reader, engine, world, assets }: FeedDeps,
  scope: Scope,
  { feed, tz, live, includes = () => true }: BirdFeed,
): AsyncGenerator<string> {
  const now = world.clock.now()
  const format = birdLister({ tz, now, assets: await assets.index() })
  let text = '{"result":"success","devices":['
  let separator = ''
  const filter = { state: 'registered' as const, ...(live !== undefined && { live }) }
  for await (const birds of birdPages(reader, engine.name, scope, filter)) {
    for (const bird of birds) {
      if (!includes(bird)) continue
      text += separator + format(bird)
      separator = ','
    }
    yield text
    text = ''
    // SQLite reads the next page in this thread: other requests run first.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const tail = { feed, updated: httpDate(now), updated_std: std(now, tz), updated_timestamp: epoch(now) }
  yield `],${JSON.stringify(tail).slice(1)}\n`
}
