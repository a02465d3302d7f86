// Memory that the connections of a host hold together. Beyond the bound, the one that has held much for longest is given up.
import type { Limit } from '@rookery/kernel/limit.ts'

export function byteBudget<C>(bound: Limit) {
  // In the order in which they began to hold something.
  const held = new Map<C, number>()
  let total = 0

  function release(connection: C): void {
    const bytes = held.get(connection)
    if (bytes === undefined) return
    total -= bytes
    held.delete(connection)
  }

  /** Somebody who holds little is not given up for those that hold much. */
  function evict(): C | undefined {
    const mean = total / held.size
    for (const [connection, bytes] of held) {
      if (bytes < mean) continue
      bound.hit()
      release(connection)
      return connection
    }
    return undefined
  }

  return {
    /** Whether the connection may hold so many bytes without another one being closed. */
    hasRoom: (connection: C, bytes: number) => total + bytes - (held.get(connection) ?? 0) <= bound.max,
    /** The connection holds so many bytes now. Answers those that are to be closed, itself perhaps among them. */
    hold(connection: C, bytes: number): readonly C[] {
      total += bytes - (held.get(connection) ?? 0)
      held.set(connection, bytes)
      const evicted: C[] = []
      while (total > bound.max) {
        const next = evict()
        if (next === undefined) break
        evicted.push(next)
      }
      return evicted
    },
    /** It holds nothing any more, or is closed. */
    release,
  }
}

export type ByteBudget<C> = ReturnType<typeof byteBudget<C>>
