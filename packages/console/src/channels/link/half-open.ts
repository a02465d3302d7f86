// Connections that have not said HELLO yet: bounded in all, and for each address.
import { limit } from '@rookery/kernel/limit.ts'
import type { Connection } from './connection.ts'

export interface HalfOpen {
  /** Whether a further connection from this address is within the bounds. */
  admits(address: string): boolean
  add(connection: Connection): void
  /** It said HELLO, or ended. */
  remove(connection: Connection): void
  count(): number
  closeAll(why: string): void
}

/** Connections that have not sent HELLO. */
const TOTAL = limit('link_half_open', 2_000)
/** The same of one address. */
const PER_ADDRESS = limit('link_half_open_per_address', 200)

export function halfOpenConnections(): HalfOpen {
  const connections = new Set<Connection>()

  function countOf(address: string): number {
    let count = 0
    for (const connection of connections) if (connection.address === address) count++
    return count
  }

  return {
    admits(address) {
      const met =
        connections.size >= TOTAL.max
          ? TOTAL
          : connections.size >= PER_ADDRESS.max && countOf(address) >= PER_ADDRESS.max
            ? PER_ADDRESS
            : undefined
      met?.hit()
      return met === undefined
    },
    add: (connection) => void connections.add(connection),
    remove: (connection) => void connections.delete(connection),
    count: () => connections.size,
    closeAll(why) {
      for (const connection of [...connections]) connection.close(why)
    },
  }
}
