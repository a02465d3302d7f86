// Who uses a channel: a channel that nobody can reach is the worst failure, since its tokens never fire. Stored at most once
// a minute.
import type { ServedChannel } from '@rookery/tokens/visit.ts'
import { task } from '../background/task.ts'
import type { AppContext } from '../app-context.ts'
import { isOwnAddress } from '../addresses/own-address.ts'
import { storeChannelUse, storeOpenedChannels, type ChannelUse } from '../stores/channels/store.ts'

export interface OpenedChannel {
  readonly channel: ServedChannel
  /** `host:port`; empty when it could not be opened. */
  readonly listens: string
  /** What artefacts name. */
  readonly named: string
}

export interface ChannelUses {
  /** Stores where the channels listen. */
  open(channels: readonly OpenedChannel[]): Promise<void>
  /** A request came, whether it names a token or not. */
  request(use: { readonly channel: ServedChannel; readonly srcHost: string }): void
  /** A token was touched. */
  touch(channel: ServedChannel): void
  /** Resolves once what came before is stored. */
  idle(): Promise<void>
  /** Stores what has not been yet. */
  stop(): Promise<void>
}

const EVERY_MS = 60_000
/** A touch is noted right after its request. */
const SETTLE_MS = 500
const TASK = task(
  'channel_use',
  undefined,
  'Stores when the channels of tokens were last used, at most once a minute',
)

export function openChannelUses({
  writer,
  world: { clock },
  background,
}: Pick<AppContext, 'writer' | 'world' | 'background'>): ChannelUses {
  const uses = new Map<ServedChannel, ChannelUse>()
  const examinedAt = new Map<ServedChannel, number>()
  let nextAt = 0
  let own = { address: '', until: 0 }

  async function store(): Promise<void> {
    const changed = [...uses.values()]
    uses.clear()
    if (changed.length > 0) await writer.write((tx) => storeChannelUse(tx, changed))
  }

  const loop = background.loop(TASK, {
    clock,
    async run() {
      if (uses.size === 0) return undefined
      if (clock.now() < nextAt) return nextAt
      nextAt = clock.now() + EVERY_MS
      await store()
      return undefined
    },
    // The writer logs an outage. The next request says the same.
    onError: () => EVERY_MS,
  })

  function note(channel: ServedChannel, use: Omit<ChannelUse, 'channel'>): void {
    if (uses.size === 0) nextAt = Math.max(nextAt, clock.now() + SETTLE_MS)
    uses.set(channel, { ...uses.get(channel), ...use, channel })
    loop.wake()
  }

  return {
    async open(channels) {
      const opened_at = clock.now()
      await writer.write((tx) =>
        storeOpenedChannels(
          tx,
          channels.map((channel) => ({ ...channel, opened_at })),
        ),
      )
    },
    request({ channel, srcHost }) {
      // Most requests come within a minute of one that counts already.
      const now = clock.now()
      if (now - (examinedAt.get(channel) ?? -EVERY_MS) < EVERY_MS) return
      // What this machine sends itself does not count: its address is asked for once a minute.
      if (srcHost === own.address && now < own.until) return
      if (isOwnAddress(srcHost)) {
        own = { address: srcHost, until: now + EVERY_MS }
        return
      }
      examinedAt.set(channel, now)
      note(channel, { reached_at: now, reached_from: srcHost })
    },
    touch(channel) {
      const now = clock.now()
      if (uses.get(channel)?.touched_at === undefined) note(channel, { touched_at: now })
    },
    idle: loop.idle,
    async stop() {
      await loop.stop()
      // While the database is away, what came in the last minute is lost.
      await store().catch(() => undefined)
    },
  }
}
