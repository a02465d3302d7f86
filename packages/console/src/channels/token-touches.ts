// Touches of tokens, whatever the channel: stored first, answered after. What cannot be stored now waits in memory.
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { ConfigCache } from '../db/config-cache.ts'
import type { TokenOutcome, TokenVisit } from '../flows/ingest/ingest-item.ts'
import { diskFullBuffer } from './disk-full-buffer.ts'

export interface TokenTouches {
  /** Resolves after the commit, or within 2 s; rejects when the database refuses the visit for good. */
  submit(visit: TokenVisit): Promise<TokenOutcome>
  /** Touches that wait in memory because the disk is full or the database away. */
  held(): number
  /** Tries a last time to store what waits; logs what is lost. */
  stop(): Promise<void>
}

export interface TokenTouchesDeps {
  readonly world: Pick<World, 'clock'>
  readonly config: Pick<ConfigCache, 'get'>
  readonly log: Logger
  readonly store: (visit: TokenVisit) => Promise<TokenOutcome>
}

const OUTCOMES = limit('token_outcomes', 10_000)
/** The log has one line for this many lost touches. */
const LOST_PER_LINE = 1_000

export function openTokenTouches({ world, config, log, store }: TokenTouchesDeps): TokenTouches {
  let lost = 0
  const buffer = diskFullBuffer({
    store,
    clock: world.clock,
    outcomes: () => config.get('token_outcomes', () => Promise.resolve(boundedMap(OUTCOMES))),
    onLost({ tokenId }, reason) {
      if (lost++ % LOST_PER_LINE === 0) log.error({ err: reason, tokenId, lost }, 'touch of a token lost')
    },
  })
  return {
    submit: buffer.submit,
    held: buffer.size,
    async stop() {
      const unstored = await buffer.stop()
      if (unstored > 0)
        log.error({ lost: unstored }, 'touches of tokens lost: they could not be stored before the stop')
    },
  }
}
