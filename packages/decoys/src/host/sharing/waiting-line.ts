// Connections that are accepted and not read until there is room for them, as those in the backlog of a busy server.
import { connectionTable, type ConnectionLimits } from './connection-table.ts'

export interface Entrance {
  /** Goes in, and answers whether there was room. */
  readonly enter: () => boolean
  /** The line is full, and this one has to leave it. */
  readonly turnAway: () => void
}

export function waitingLine<C>(limits: ConnectionLimits) {
  const table = connectionTable<C>(limits)
  // In the order of their arrival.
  const line = new Map<C, Entrance & { readonly port: object; readonly source: string }>()

  function remove(connection: C): void {
    table.remove(connection)
    line.delete(connection)
  }

  /** Those with the same key go in alike: one try for each. Without a key none is made. */
  function admitFirst(keyOf: (port: object, source: string) => unknown): boolean {
    const tried = new Set<unknown>([undefined])
    for (const [connection, { port, source, enter }] of line) {
      const key = keyOf(port, source)
      if (tried.has(key)) continue
      tried.add(key)
      if (!enter()) continue
      remove(connection)
      return true
    }
    return false
  }

  return {
    /** A full line turns one away as a full port does: the oldest of the source that has most in it. */
    join(connection: C, port: object, source: string, entrance: Entrance) {
      const { isAdmitted, evicted } = table.admit(connection, port, source)
      if (evicted !== undefined) {
        line.get(evicted)?.turnAway()
        line.delete(evicted)
      }
      if (isAdmitted) line.set(connection, { ...entrance, port, source })
      else entrance.turnAway()
    },
    /** There may be room again at this port: lets in the one that has waited longest and can go in, else one of another port. */
    admitNext(free: object) {
      if (line.size === 0) return
      // One that would push out its own source's connection does not hold up those behind it.
      const isAdmitted = admitFirst((port, source) => (port === free ? source : undefined))
      if (!isAdmitted) admitFirst((port) => (port === free ? undefined : port))
    },
    remove,
    ofPort: table.ofPort,
  }
}

export type WaitingLine<C> = ReturnType<typeof waitingLine<C>>
