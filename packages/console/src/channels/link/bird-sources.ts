// Registered Birds by the source that they last came from. Noise XX encrypts a Bird's key until the third message, so before
// that a Bird is known by its source alone: a source has room for its Birds besides what it has as a stranger.
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Query } from '../../db/query.ts'
import { sourceNetwork } from '../../addresses/source-network.ts'
import { registeredByAddress } from '../../stores/birds/addresses.store.ts'

export interface BirdSources {
  /** Registered Birds that last came from this source, as `sourceNetwork` names it. */
  countAt(source: string): number
  /** Reads them again, at most every ten seconds: they may have come to another console, or from another address. */
  refresh(): void
}

export interface BirdSourcesDeps {
  readonly reader: Query
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
}

const FRESH_MS = 10_000

export async function openBirdSources({ reader, clock, log }: BirdSourcesDeps): Promise<BirdSources> {
  let birdsAt = await load()
  let loadedAt = clock.now()

  async function load(): Promise<ReadonlyMap<string, number>> {
    const birds = new Map<string, number>()
    for (const { address, birds: n } of await registeredByAddress(reader)) {
      const source = sourceNetwork(address)
      birds.set(source, (birds.get(source) ?? 0) + n)
    }
    return birds
  }

  return {
    countAt: (source) => birdsAt.get(source) ?? 0,
    refresh() {
      const now = clock.now()
      if (now >= loadedAt && now - loadedAt < FRESH_MS) return
      loadedAt = now
      load().then(
        (birds) => (birdsAt = birds),
        (error: unknown) => log.debug({ err: error }, 'could not read the addresses of Birds'),
      )
    },
  }
}
