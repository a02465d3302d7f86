// Links of pending Birds: a source may hold a few of them open while it waits for a person.
import { limit } from '@rookery/kernel/limit.ts'
import { sourceNetwork } from '../../addresses/source-network.ts'
import type { Connection } from './connection.ts'

export interface PendingLinks {
  /** Adds it; false when its source (IPv6: the /64) holds as many as it may. */
  add(connection: Connection): boolean
  /** It was commissioned, or ended. */
  remove(connection: Connection): void
}

/** Links of one address that wait for a person. */
const PER_SOURCE = limit('link_pending_per_source', 3)

export function pendingLinks(): PendingLinks {
  const bySource = new Map<string, Set<Connection>>()
  return {
    add(connection) {
      const source = sourceNetwork(connection.address)
      const links = bySource.get(source) ?? new Set()
      if (links.has(connection)) return true
      if (links.size >= PER_SOURCE.max) {
        PER_SOURCE.hit()
        return false
      }
      bySource.set(source, links.add(connection))
      return true
    },
    remove(connection) {
      const source = sourceNetwork(connection.address)
      const links = bySource.get(source)
      if (links?.delete(connection) && links.size === 0) bySource.delete(source)
    },
  }
}
