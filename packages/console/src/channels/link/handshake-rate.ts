// Handshakes of a source, before the first X25519. Noise XX encrypts the Bird's key until the third message, so a key is
// known by the address that it last came from: a source has room for its registered Birds besides.
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import type { Logger } from 'pino'
import type { Query } from '../../db/query.ts'
import { sourceNetwork } from '../../net/source-network.ts'
import { registeredByAddress } from '../../stores/birds/addresses.store.ts'

export interface HandshakeRate {
  /** Counts a handshake from this address; false when its source begins too many. */
  admits(address: string): boolean
}

export interface HandshakeRateDeps {
  readonly reader: Query
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  /** Handshakes a second of a source. */
  readonly perSecond: number
  /** Handshakes in 15 s of each registered Bird besides. */
  readonly perBird: number
}

/** An option sets it. */
const HANDSHAKES = limit('link_handshakes_per_second', 10)
/** Past these, all further sources share one allowance: so many at once are one attacker. */
const SOURCES = limit('link_handshake_sources', 50_000)
const SECOND_MS = 1_000
export const HELLO_WINDOW_MS = 15_000
/** Addresses of Birds are read again, after this, when a source was refused. */
const FRESH_MS = 10_000

export async function openHandshakeRate(deps: HandshakeRateDeps): Promise<HandshakeRate> {
  const { reader, clock, log, perBird } = deps
  const { max, hit } = withMax(HANDSHAKES, deps.perSecond)
  const ofAnyone = windowCounter<string>(SOURCES, SECOND_MS)
  const ofBirds = windowCounter<string>(SOURCES, HELLO_WINDOW_MS)
  let birdsAt = await load()
  let loadedAt = clock.now()

  /** Registered Birds by the source that they last came from. */
  async function load(): Promise<ReadonlyMap<string, number>> {
    const birds = new Map<string, number>()
    for (const { address, birds: n } of await registeredByAddress(reader)) {
      const source = sourceNetwork(address)
      birds.set(source, (birds.get(source) ?? 0) + n)
    }
    return birds
  }

  /** They may have come to another console, or from another address. */
  function refresh(): void {
    const now = clock.now()
    if (now >= loadedAt && now - loadedAt < FRESH_MS) return
    loadedAt = now
    load().then(
      (birds) => (birdsAt = birds),
      (error: unknown) => log.debug({ err: error }, 'could not read the addresses of Birds'),
    )
  }

  return {
    admits(address) {
      const source = sourceNetwork(address)
      const now = clock.now()
      if (ofAnyone.count(source, now) <= max) return true
      const room = perBird * (birdsAt.get(source) ?? 0)
      if (room > 0 && ofBirds.count(source, now) <= room) return true
      hit()
      refresh()
      return false
    },
  }
}
