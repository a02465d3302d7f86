// A feed from which nothing came for a day is an incident of the console (23005), once for that silence: tokens that need it
// stay silent, and nobody would know.
import { std } from '@rookery/kernel/time.ts'
import type { WorkerLoop } from '@rookery/kernel/worker-loop.ts'
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import type { Query } from '../../db/query.ts'
import { changeFeed, readFeeds, type FeedRow } from '../../stores/providers/feeds.store.ts'
import { countResources } from '../../stores/providers/resources.store.ts'
import type { Arrival } from '../raise/arrival.ts'
import { consoleArrival } from '../raise/console-arrival.ts'
import type { NewIncident } from '../raise/plan.ts'
import { raise, type RaiseDeps } from '../raise/raise.ts'
import type { ProviderRegistry } from './registry.ts'

export interface SilenceDeps extends Pick<AppContext, 'reader' | 'writer' | 'world' | 'log' | 'background'> {
  readonly registry: Pick<ProviderRegistry, 'statuses'>
  readonly raising: RaiseDeps
  readonly onRaised: (created: readonly NewIncident[]) => void
  /** Since when this console is the one that watches; undefined while another is. */
  readonly heldSince: () => number | undefined
}

export interface SilentFeed {
  readonly provider: string
  /** Since when nothing came. */
  readonly since: number
  readonly tokens: number
  readonly reason: string
}

const LOGTYPE = '23005'
const SILENT_AFTER_MS = 86_400_000
const EXAMINE_MS = 300_000
/** No feed is silent before a console has listened for so long: all of them may have been stopped. */
const LISTENING_MS = 600_000
const TASK = task(
  'provider_silence',
  EXAMINE_MS,
  'Raises an incident (23005) of a provider from which nothing came for a day',
)

export function openSilenceWatch({
  reader,
  writer,
  world: { clock },
  log,
  background,
  registry,
  raising,
  onRaised,
  heldSince,
}: SilenceDeps): WorkerLoop {
  const providers = registry.statuses.map(({ descriptor }) => descriptor.provider)

  async function examine(db: Query, now: number): Promise<SilentFeed[]> {
    const feeds = new Map((await readFeeds(db)).map((row): [string, FeedRow] => [row.provider, row]))
    const active = (await countResources(db)).filter(({ state }) => state === 'active')
    return active.flatMap(({ provider, resources, oldest_at }) => {
      const feed = feeds.get(provider)
      // What the first token was created after needs a day as well.
      const since = Math.max(feed?.fed_at ?? 0, oldest_at)
      // Tokens that are created after an incident wait for a feed anew.
      const isNew = providers.includes(provider) && (feed?.silence_raised_at ?? 0) < since
      if (!isNew || now - since < SILENT_AFTER_MS) return []
      return [{ provider, since, tokens: resources, reason: feed?.last_error ?? '' }]
    })
  }

  return background.loop(TASK, {
    clock,
    async run() {
      const since = heldSince()
      if (since === undefined) return undefined
      const now = clock.now()
      if (now - since < LISTENING_MS) return since + LISTENING_MS
      if ((await examine(reader, now)).length > 0) {
        const created = await writer.write(async (tx) => {
          const silent = await examine(tx.query, now)
          for (const { provider } of silent) await changeFeed(tx, provider, { silence_raised_at: now })
          return raise(
            tx,
            silent.map((feed) => arrival(feed, now)),
            raising,
          )
        })
        if (created.length > 0) onRaised(created)
      }
      return now + EXAMINE_MS
    },
    onError(error) {
      log.warn({ err: error }, 'feeds of providers could not be examined; retrying in 5 min')
      return EXAMINE_MS
    },
  })
}

const arrival = ({ provider, since, tokens, reason }: SilentFeed, now: number): Arrival =>
  consoleArrival(
    {
      logtype: LOGTYPE,
      // The silence is part of the aggregation key: two of them are never merged into one incident.
      instance: `${provider}/${since}`,
      srcHost: '',
      fields: {
        PROVIDER: provider,
        SINCE: std(since),
        TOKENS: tokens,
        ...(reason !== '' && { REASON: reason }),
      },
    },
    now,
  )
