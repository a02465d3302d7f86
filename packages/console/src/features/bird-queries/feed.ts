// The three lists of Birds, streamed: a console with ten thousand of them answers others meanwhile.
import { JsonStream } from '@rookery/contract/implement.ts'
import { checkTimeZone, epoch, httpDate, std } from '@rookery/kernel/time.ts'
import type { Base } from '../../base.ts'
import { birdLister } from '../../birds/listing.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Scope } from '../../db/query.ts'
import { birdPages, type ListedBird } from '../../stores/birds/lists.store.ts'

export interface BirdFeed {
  readonly feed: string
  readonly tz: string
  readonly live?: 0 | 1
  /** Which of these Birds belong to the list; all, unless it says so. */
  readonly counts?: (bird: ListedBird) => boolean
}

type Reading = Pick<Base, 'engine' | 'reader' | 'world'> & { readonly assets: Pick<Assets, 'book'> }

/** Rejects with `bad-input` for an unknown time zone. */
export async function birdFeed(base: Reading, scope: Scope, asked: BirdFeed): Promise<JsonStream> {
  checkTimeZone(asked.tz)
  return new JsonStream(pieces(base, scope, asked))
}

async function* pieces(
  { reader, engine, world, assets }: Reading,
  scope: Scope,
  { feed, tz, live, counts = () => true }: BirdFeed,
): AsyncGenerator<string> {
  const now = world.clock.now()
  const listed = birdLister({ tz, now, assets: await assets.book() })
  let text = '{"result":"success","devices":['
  let separator = ''
  const filter = { state: 'registered' as const, ...(live !== undefined && { live }) }
  for await (const birds of birdPages(reader, engine.name, scope, filter)) {
    for (const bird of birds) {
      if (!counts(bird)) continue
      text += separator + listed(bird)
      separator = ','
    }
    yield text
    text = ''
    // The next page comes from the same thread: others first.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const tail = { feed, updated: httpDate(now), updated_std: std(now, tz), updated_timestamp: epoch(now) }
  yield `],${JSON.stringify(tail).slice(1)}\n`
}
