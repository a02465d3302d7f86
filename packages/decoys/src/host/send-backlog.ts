// Bytes of all connections that their peers do not read. Beyond the bound, the connection that is blocked longest is given up.
import type { Limit } from '@rookery/kernel/limit.ts'

export interface SendBacklog<C> {
  /** So many bytes wait for the connection's peer; answers the connections that are to be closed for it. */
  waiting(connection: C, bytes: number): readonly C[]
  /** Its bytes are sent, or it is closed. */
  sent(connection: C): void
}

export function sendBacklog<C>(bound: Limit): SendBacklog<C> {
  // In the order in which they were blocked.
  const blocked = new Map<C, number>()
  let total = 0

  function sent(connection: C): void {
    total -= blocked.get(connection) ?? 0
    blocked.delete(connection)
  }

  return {
    waiting(connection, bytes) {
      total += bytes - (blocked.get(connection) ?? 0)
      blocked.set(connection, bytes)
      const evicted: C[] = []
      for (const each of blocked.keys()) {
        if (total <= bound.max) break
        bound.hit()
        sent(each)
        evicted.push(each)
      }
      return evicted
    },
    sent,
  }
}
