// The open TCP connections of a host, by port and source. Decides which one leaves when there is no room for a new one.
import type { Limit } from '@rookery/kernel/limit.ts'
import { busiestSource, firstIdle, type Activity } from './crowding-source.ts'

export interface ConnectionLimits {
  /** Open connections of one port, and of all ports. */
  readonly perPort: Limit
  readonly perHost: Limit
}

interface Entry<C> {
  readonly source: string
  readonly port: Port<C>
  hasRaised: boolean
  activity: Activity | undefined
}

interface Port<C> {
  readonly key: object
  readonly connections: Set<C>
  readonly bySource: Map<string, Source<C>>
}

interface Source<C> {
  open: number
  /** What has raised no event, in the order in which it began to be silent, or to drip, with its number. */
  readonly silent: Map<C, number>
  readonly dripping: Map<C, number>
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

  /**
   * Makes room by a connection that has raised no event. Before a source loses its only one, and where there is none, one that
   * was answered leaves if its source holds at least half of the places, and more than the newcomer's. No server does
   * that: but one source must not make a decoy deaf, and an alert with a login outranks an idle connection of a flooder.
   */
  function evictFrom(crowded: readonly Port<C>[], newcomer: string, spared: string | undefined) {
    const quiet = firstToLeave(crowded)
    const source = quiet && entries.get(quiet.connection)?.source
    const mayLeave = quiet && source !== spared ? quiet.connection : undefined
    if (mayLeave !== undefined && !quiet?.isOnly) return leave(mayLeave)
    const busiest = busiestSource(crowded, newcomer)
    return leave(busiest === undefined || busiest === source ? mayLeave : idlestOf(crowded, busiest))
  }

  function idlestOf(crowded: readonly Port<C>[], source: string): C | undefined {
    const candidates = crowded.flatMap(({ connections }) =>
      [...connections].flatMap((connection) => {
        const entry = entries.get(connection)
        return entry?.source === source ? [{ connection, activity: entry.activity }] : []
      }),
    )
    return firstIdle(candidates)?.connection
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
      const evicted = full && evictFrom(full === perPort ? [port] : [...ports.values()], source, spared)
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

interface Candidate<C> {
  readonly connection: C
  /** Of its source at this port, among those that have raised no event. */
  readonly isOnly: boolean
  readonly isSilent: boolean
  /** Connections of its source at this port that are as it is. */
  readonly count: number
  readonly number: number
}

/**
 * A silent connection before one that drips, and the oldest of the source that has most of them: a source that opens many
 * gives up its own, and not that of somebody who has just come. The only one of a source leaves last, whatever it said.
 */
function firstToLeave<C>(ports: Iterable<Port<C>>): Candidate<C> | undefined {
  let found: Candidate<C> | undefined
  for (const { bySource } of ports)
    for (const source of bySource.values()) {
      const candidate = oldestOf(source)
      if (candidate && (!found || leavesBefore(candidate, found))) found = candidate
    }
  return found
}

function oldestOf<C>({ silent, dripping }: Source<C>): Candidate<C> | undefined {
  const isSilent = silent.size > 0
  const alike = isSilent ? silent : dripping
  const [oldest] = alike
  if (!oldest) return undefined
  const [connection, number] = oldest
  const isOnly = silent.size + dripping.size === 1
  return { connection, isOnly, isSilent, count: alike.size, number }
}

function leavesBefore(one: Candidate<unknown>, other: Candidate<unknown>): boolean {
  if (one.isOnly !== other.isOnly) return other.isOnly
  if (one.isSilent !== other.isSilent) return one.isSilent
  return one.count === other.count ? one.number < other.number : one.count > other.count
}
