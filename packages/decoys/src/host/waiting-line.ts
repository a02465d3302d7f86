// Connections that are accepted and not read until there is room for them, as those in the backlog of a busy server.
import { connectionTable, type ConnectionLimits } from './connection-table.ts'

export interface Entrance {
  /** Goes in, and answers whether there was room. */
  readonly enter: () => boolean
  /** The line is full, and this one has to leave it. */
  readonly turnAway: () => void
}

export interface WaitingLine<C> {
  /** A full line turns one away as a full port does: the oldest of the source that has most in it. */
  join(connection: C, port: object, source: string, entrance: Entrance): void
  /** There may be room again: lets in one connection, of those that have waited longest at their port. */
  admitNext(): void
  remove(connection: C): void
  ofPort(port: object): readonly C[]
}

export function waitingLine<C>(limits: ConnectionLimits): WaitingLine<C> {
  const table = connectionTable<C>(limits)
  // In the order of their arrival.
  const line = new Map<C, Entrance & { readonly port: object }>()

  function remove(connection: C): void {
    table.remove(connection)
    line.delete(connection)
  }

  return {
    join(connection, port, source, entrance) {
      const { isAdmitted, evicted } = table.admit(connection, port, source)
      if (evicted !== undefined) {
        line.get(evicted)?.turnAway()
        line.delete(evicted)
      }
      if (isAdmitted) line.set(connection, { ...entrance, port })
      else entrance.turnAway()
    },
    admitNext() {
      const tried = new Set<object>()
      for (const [connection, { port, enter }] of line) {
        if (tried.has(port)) continue
        tried.add(port)
        if (enter()) return remove(connection)
      }
    },
    remove,
    ofPort: table.ofPort,
  }
}
