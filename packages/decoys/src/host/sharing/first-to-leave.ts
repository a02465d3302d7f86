// Which of the open connections leaves when there is no room for a new one.
import { busiestSource, firstIdle, type Activity } from './crowding-source.ts'

export interface Entry<C> {
  readonly source: string
  readonly port: Port<C>
  hasRaised: boolean
  activity: Activity | undefined
}

export interface Port<C> {
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

export interface Crowd<C> {
  /** The ports that are full together. */
  readonly crowded: readonly Port<C>[]
  readonly entries: ReadonlyMap<C, Entry<C>>
  /** Sources: of the new connection, and one whose last connection must not leave for it. */
  readonly newcomer: string
  readonly spared: string | undefined
}

/**
 * A connection that has raised no event. Before a source loses its only one, and where there is none, one that was answered
 * leaves if its source holds at least half of the places, and more than the newcomer's. No server does that: but one source
 * must not make a decoy deaf, and an alert with a login outranks an idle connection of a flooder.
 */
export function firstToLeave<C>({ crowded, entries, newcomer, spared }: Crowd<C>): C | undefined {
  const quiet = firstQuiet(crowded)
  const source = quiet && entries.get(quiet.connection)?.source
  const mayLeave = quiet && source !== spared ? quiet.connection : undefined
  if (mayLeave !== undefined && !quiet?.isOnly) return mayLeave
  const busiest = busiestSource(crowded, newcomer)
  if (busiest === undefined || busiest === source) return mayLeave
  const candidates = crowded.flatMap(({ connections }) =>
    [...connections].flatMap((connection) => {
      const entry = entries.get(connection)
      return entry?.source === busiest ? [{ connection, activity: entry.activity }] : []
    }),
  )
  return firstIdle(candidates)?.connection
}

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
function firstQuiet<C>(ports: Iterable<Port<C>>): Candidate<C> | undefined {
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
