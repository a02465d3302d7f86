// What the database and the receivers have of what two consoles answered.
import type { Alert } from '../../../rig/scenes/receiver.ts'
import { CHANGE, type AnsweredChanges } from './changes.ts'
import type { Cluster } from './cluster.ts'
import { MARK } from './visitors.ts'

export interface JudgedConsoles {
  readonly lost: number
  readonly doubled: number
  /** Events that incidents count, but that are nowhere, or the other way round. */
  readonly miscounted: number
  /** Sources whose touches went into two incidents. */
  readonly splitIncidents: number
  /** Incidents whose alert no receiver has got. */
  readonly alertsMissing: number
  /** Incidents that were alerted in two messages with ids of their own. */
  readonly alertsDoubled: number
  readonly changesLost: number
  readonly changesDoubled: number
  /** Changes that were answered with an error, and made. */
  readonly changesRefused: number
  /** Names of what was lost or doubled, a few of each. */
  readonly names: readonly string[]
}

export interface Claims {
  readonly answered: Iterable<string>
  readonly changes: AnsweredChanges
  readonly alerts: readonly Alert[]
}

const NAMED = 5

export async function judgeConsoles(cluster: Cluster, claims: Claims): Promise<JudgedConsoles> {
  const events = await counts(
    cluster,
    `SELECT body::json->'headers'->>'User-Agent' AS name, count(*)::int AS n FROM incident_event GROUP BY 1`,
    MARK,
  )
  const changes = await counts(
    cluster,
    'SELECT memo AS name, count(*)::int AS n FROM token GROUP BY 1',
    CHANGE,
  )
  const incidents = await cluster.query<{ source: string; n: number; events: number }>(
    `SELECT s.src_host AS source, count(*)::int AS n, sum(s.events_count)::int AS events
     FROM incident_state s JOIN incident_fact f ON f.incident_id = s.incident_id
     WHERE f.logtype = '17000' GROUP BY 1`,
  )
  const ids = new Map<string, Set<string>>()
  for (const { source, id } of claims.alerts) ids.set(source, (ids.get(source) ?? new Set()).add(id))

  const lost = [...claims.answered].filter((mark) => !events.has(mark))
  const doubled = namesOfMany(events)
  const split = incidents.filter(({ n }) => n > 1).map(({ source }) => source)
  const missing = incidents.filter(({ source }) => !ids.has(source)).map(({ source }) => source)
  const doubledAlerts = [...ids].filter(([, { size }]) => size > 1).map(([source]) => source)
  const changesLost = [...claims.changes.made].filter((memo) => !changes.has(memo))
  const changesDoubled = namesOfMany(changes)
  const refused = [...claims.changes.refused].filter((memo) => changes.has(memo))
  const counted = incidents.reduce((sum, it) => sum + it.events, 0)
  const kept = [...events.values()].reduce((sum, n) => sum + n, 0)
  return {
    lost: lost.length,
    doubled: doubled.length,
    miscounted: Math.abs(counted - kept),
    splitIncidents: split.length,
    alertsMissing: missing.length,
    alertsDoubled: doubledAlerts.length,
    changesLost: changesLost.length,
    changesDoubled: changesDoubled.length,
    changesRefused: refused.length,
    names: [lost, doubled, split, missing, doubledAlerts, changesLost, changesDoubled, refused].flatMap(
      (names) => names.slice(0, NAMED),
    ),
  }
}

async function counts(cluster: Cluster, text: string, wanted: RegExp): Promise<Map<string, number>> {
  const rows = await cluster.query<{ name: string | null; n: number }>(text)
  return new Map(
    rows.flatMap(({ name, n }) => (name !== null && wanted.test(name) ? [[name, n] as const] : [])),
  )
}

const namesOfMany = (found: ReadonlyMap<string, number>): string[] =>
  [...found].filter(([, n]) => n > 1).map(([name]) => name)
