// Connections that have not said HELLO yet. A source has places for its registered Birds, which nobody takes away. Any other
// connection has the place of a stranger. These are bounded for each source, and in all: then one of them makes room.
import { limit } from '@rookery/kernel/limit.ts'
import { oldestOfBusiest } from '../../admission/make-room.ts'
import { sourceNetwork } from '../../addresses/source-network.ts'
import type { BirdSources } from './bird-sources.ts'
import type { Connection } from './connection.ts'

export interface HalfOpen {
  /** Whether a further connection from this address is within the bound of its source. */
  admits(address: string): boolean
  /** Where all places are taken, another connection is closed for it. */
  add(connection: Connection): void
  /** It said HELLO, or ended. */
  remove(connection: Connection): void
  count(): number
  closeAll(why: string): void
}

/** Connections that have not sent HELLO, without those that may be of Birds; one of the oldest makes room for the next one. */
const TOTAL = limit('link_half_open', 2_000)
/** The same of one IPv4 address or IPv6 /64, where no Bird has come from it. */
const PER_SOURCE = limit('link_half_open_per_source', 200)

/** Connections of one source. */
interface Held {
  readonly source: string
  all: number
  /** Those of them that have the place of a stranger. */
  strangers: number
}

export function halfOpenConnections(birds: BirdSources): HalfOpen {
  const connections = new Map<Connection, Held>()
  /** Oldest first. */
  const strangers = new Set<Connection>()
  const sources = new Map<string, Held>()

  function remove(connection: Connection): void {
    const held = connections.get(connection)
    if (!held) return
    connections.delete(connection)
    if (strangers.delete(connection)) held.strangers--
    if (--held.all === 0) sources.delete(held.source)
  }

  function makeRoom(): void {
    TOTAL.hit()
    birds.refresh()
    const leaving = oldestOfBusiest(strangers, (one) => connections.get(one)?.strangers ?? 0)
    if (!leaving) return
    remove(leaving)
    leaving.close('no HELLO yet, and others need its place')
  }

  return {
    remove,
    admits(address) {
      const source = sourceNetwork(address)
      const isWithin = (sources.get(source)?.strangers ?? 0) < PER_SOURCE.max
      if (isWithin || birds.countAt(source) > 0) return true
      PER_SOURCE.hit()
      birds.refresh()
      return false
    },
    add(connection) {
      const source = sourceNetwork(connection.address)
      const held = sources.get(source) ?? { source, all: 0, strangers: 0 }
      const isOfBird = held.all - held.strangers < birds.countAt(source)
      if (!isOfBird && strangers.size >= TOTAL.max) makeRoom()
      // Set again: the last one of this source may just have left.
      sources.set(source, held)
      connections.set(connection, held)
      held.all++
      if (isOfBird) return
      held.strangers++
      strangers.add(connection)
    },
    count: () => connections.size,
    closeAll(why) {
      for (const connection of [...connections.keys()]) connection.close(why)
    },
  }
}
