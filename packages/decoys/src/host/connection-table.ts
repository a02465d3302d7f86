// The open TCP connections of a host, by port and source. Decides which one leaves when there is no room for a new one.
import type { Limit } from '@rookery/kernel/limit.ts'

export interface ConnectionLimits {
  /** Open connections of one port, and of all ports. */
  readonly perPort: Limit
  readonly perHost: Limit
}

export interface ConnectionTable<C> {
  /** Open connections of a source to a port, which is named by any object. */
  count(port: object, source: string): number
  /**
   * Adds the connection; it counts as silent until `spoke`. `evicted` is the silent one that had to leave for it. Not
   * admitted when all others have spoken.
   */
  admit(
    connection: C,
    port: object,
    source: string,
  ): { readonly isAdmitted: boolean; readonly evicted?: C | undefined }
  /** The peer has sent something. */
  spoke(connection: C): void
  /** The peer has sent nothing for long: the connection counts as silent again. */
  fellSilent(connection: C): void
  remove(connection: C): void
  /** Open connections of a port. */
  ofPort(port: object): readonly C[]
}

interface Entry<C> {
  readonly source: string
  readonly port: Port<C>
}

interface Port<C> {
  readonly key: object
  readonly connections: Set<C>
  readonly bySource: Map<string, Source<C>>
  silent: number
}

interface Source<C> {
  open: number
  /** In the order of their arrival, with their numbers. */
  readonly silent: Map<C, number>
}

export function connectionTable<C>({ perPort, perHost }: ConnectionLimits): ConnectionTable<C> {
  const ports = new Map<object, Port<C>>()
  const entries = new Map<C, Entry<C>>()
  let arrivals = 0

  function portOf(key: object): Port<C> {
    const known = ports.get(key)
    if (known) return known
    const port: Port<C> = { key, connections: new Set(), bySource: new Map(), silent: 0 }
    ports.set(key, port)
    return port
  }

  function spoke(connection: C): void {
    const entry = entries.get(connection)
    if (entry?.port.bySource.get(entry.source)?.silent.delete(connection)) entry.port.silent -= 1
  }

  function fellSilent(connection: C): void {
    const entry = entries.get(connection)
    const silent = entry?.port.bySource.get(entry.source)?.silent
    if (!entry || !silent || silent.has(connection)) return
    silent.set(connection, ++arrivals)
    entry.port.silent += 1
  }

  function remove(connection: C): void {
    const entry = entries.get(connection)
    if (!entry) return
    spoke(connection)
    entries.delete(connection)
    const { port, source } = entry
    port.connections.delete(connection)
    if (port.connections.size === 0) ports.delete(port.key)
    const ofSource = port.bySource.get(source)
    if (ofSource && --ofSource.open === 0) port.bySource.delete(source)
  }

  /** Makes room by one silent connection, if there is one. */
  function evictFrom(port: Port<C> | undefined): C | undefined {
    const evicted = port && oldestSilent(port)
    if (evicted !== undefined) remove(evicted)
    return evicted
  }

  return {
    count: (port, source) => ports.get(port)?.bySource.get(source)?.open ?? 0,
    admit(connection, key, source) {
      const port = portOf(key)
      const full =
        port.connections.size >= perPort.max ? perPort : entries.size >= perHost.max ? perHost : undefined
      full?.hit()
      const evicted = full && evictFrom(full === perPort ? port : quietest(ports.values()))
      if (full && evicted === undefined) return { isAdmitted: false }
      // The eviction may have left the port empty.
      ports.set(key, port)
      const ofSource = port.bySource.get(source) ?? { open: 0, silent: new Map<C, number>() }
      port.bySource.set(source, ofSource)
      ofSource.open += 1
      ofSource.silent.set(connection, ++arrivals)
      port.silent += 1
      port.connections.add(connection)
      entries.set(connection, { port, source })
      return { isAdmitted: true, evicted }
    },
    spoke,
    fellSilent,
    remove,
    ofPort: (port) => [...(ports.get(port)?.connections ?? [])],
  }
}

/** The port with the most silent connections. */
function quietest<C>(ports: Iterable<Port<C>>): Port<C> | undefined {
  let found: Port<C> | undefined
  for (const port of ports) if (port.silent > (found?.silent ?? 0)) found = port
  return found
}

/**
 * The oldest silent connection of the source that has most of them: a source that opens many gives up its own, and not
 * that of somebody who has just come.
 */
function oldestSilent<C>({ bySource }: Port<C>): C | undefined {
  let found: { readonly connection: C; readonly count: number; readonly arrival: number } | undefined
  for (const { silent } of bySource.values()) {
    const [oldest] = silent
    if (!oldest) continue
    const [connection, arrival] = oldest
    const isMore = silent.size > (found?.count ?? 0)
    const isOlder = silent.size === found?.count && arrival < found.arrival
    if (isMore || isOlder) found = { connection, count: silent.size, arrival }
  }
  return found?.connection
}
