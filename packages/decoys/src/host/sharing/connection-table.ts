// The open TCP connections of a host, by port and source. Decides which one leaves when there is no room for a new one.
import type { Limit } from '@rookery/kernel/limit.ts'
import type { Activity } from './crowding-source.ts'
import { firstToLeave, type Entry, type Port } from './first-to-leave.ts'

export interface ConnectionLimits {
  /** Open connections of one port, and of all ports. */
  readonly perPort: Limit
  readonly perHost: Limit
}

/** `mayHaveRoom` is called when a connection of the port has left, or may now leave for another one. */
export function connectionTable<C>(
  { perPort, perHost }: ConnectionLimits,
  mayHaveRoom: (port: object) => void = () => {},
) {
  const ports = new Map<object, Port<C>>()
  const entries = new Map<C, Entry<C>>()
  let numbers = 0

  function move(connection: C, to: 'silent' | 'dripping' | undefined): void {
    const entry = entries.get(connection)
    const source = entry?.port.bySource.get(entry.source)
    if (!source || (to && source[to].has(connection))) return
    source.silent.delete(connection)
    source.dripping.delete(connection)
    if (to) source[to].set(connection, ++numbers)
  }

  function take(connection: C, entry: Entry<C>): void {
    move(connection, undefined)
    entries.delete(connection)
    const { port, source } = entry
    port.connections.delete(connection)
    if (port.connections.size === 0) ports.delete(port.key)
    const ofSource = port.bySource.get(source)
    if (ofSource && --ofSource.open === 0) port.bySource.delete(source)
  }

  function leave(connection: C | undefined): C | undefined {
    const entry = connection !== undefined && entries.get(connection)
    if (!entry) return undefined
    take(connection, entry)
    return connection
  }

  return {
    /** Open connections of a source to a port, which is named by any object. */
    count: (port: object, source: string) => ports.get(port)?.bySource.get(source)?.open ?? 0,
    /**
     * Adds the connection; it counts as silent until `spoke`. `evicted` is the one that had to leave for it. Not admitted when
     * all others have raised an event and are of many sources, or when the one that would have to leave is of a source that
     * is spared.
     */
    admit(
      connection: C,
      key: object,
      source: string,
      spared?: string,
    ): { readonly isAdmitted: boolean; readonly evicted?: C | undefined } {
      const port: Port<C> = ports.get(key) ?? { key, connections: new Set(), bySource: new Map() }
      const full =
        port.connections.size >= perPort.max ? perPort : entries.size >= perHost.max ? perHost : undefined
      full?.hit()
      const crowded = full === perPort ? [port] : [...ports.values()]
      const evicted = full && leave(firstToLeave({ crowded, entries, newcomer: source, spared }))
      if (full && evicted === undefined) return { isAdmitted: false }
      // New, or left empty by the eviction.
      ports.set(key, port)
      const ofSource = port.bySource.get(source) ?? {
        open: 0,
        silent: new Map<C, number>(),
        dripping: new Map<C, number>(),
      }
      port.bySource.set(source, ofSource)
      ofSource.open += 1
      port.connections.add(connection)
      entries.set(connection, { port, source, hasRaised: false, activity: undefined })
      move(connection, 'silent')
      return { isAdmitted: true, evicted }
    },
    /** What `activity` says from now on tells how idle the connection is. */
    serves(connection: C, activity: Activity) {
      const entry = entries.get(connection)
      if (entry) entry.activity = activity
    },
    /** The peer has sent something: it counts as dripping until it raises an event. */
    spoke: (connection: C) => move(connection, entries.get(connection)?.hasRaised ? undefined : 'dripping'),
    /** What the peer sent has raised an event. */
    raised(connection: C) {
      const entry = entries.get(connection)
      if (entry) entry.hasRaised = true
      move(connection, undefined)
    },
    /** The peer has sent nothing for long: the connection counts as silent again. */
    fellSilent(connection: C) {
      move(connection, 'silent')
      const entry = entries.get(connection)
      if (entry) mayHaveRoom(entry.port.key)
    },
    remove(connection: C) {
      const entry = entries.get(connection)
      if (!entry) return
      take(connection, entry)
      mayHaveRoom(entry.port.key)
    },
    /** Open connections of a port. */
    ofPort: (port: object): readonly C[] => [...(ports.get(port)?.connections ?? [])],
  }
}

export type ConnectionTable<C> = ReturnType<typeof connectionTable<C>>
