// Handshakes of a source, before the first X25519. Those of its registered Birds have an allowance besides.
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { sourceNetwork } from '../../addresses/source-network.ts'
import type { BirdSources } from './bird-sources.ts'

export interface HandshakeRate {
  /** Counts a handshake from this address; false when its source begins too many. */
  admits(address: string): boolean
}

export interface HandshakeRateDeps {
  readonly birds: BirdSources
  readonly clock: Pick<Clock, 'now'>
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

export function openHandshakeRate({ birds, clock, perSecond, perBird }: HandshakeRateDeps): HandshakeRate {
  const { max, hit } = withMax(HANDSHAKES, perSecond)
  const ofAnyone = windowCounter<string>(SOURCES, SECOND_MS)
  const ofBirds = windowCounter<string>(SOURCES, HELLO_WINDOW_MS)

  return {
    admits(address) {
      const source = sourceNetwork(address)
      const now = clock.now()
      if (ofAnyone.count(source, now) <= max) return true
      const room = perBird * birds.countAt(source)
      if (room > 0 && ofBirds.count(source, now) <= room) return true
      hit()
      // When a source was refused, its Birds are read again.
      birds.refresh()
      return false
    },
  }
}
