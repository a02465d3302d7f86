// What the API says of incidents, as far as a proof reads it.
import { isDeepStrictEqual } from 'node:util'
import type { RunningConsole } from '../../rig/scenes/console.ts'
import { until } from './until.ts'

export interface Incident {
  readonly id: string
  readonly description: {
    readonly logtype: string
    readonly node_id: string
    readonly events_count: string
    readonly src_host: string
    readonly events: readonly Readonly<Record<string, unknown>>[]
  }
}

type Asked = Pick<RunningConsole, 'get'>

export async function unacknowledged(console: Asked): Promise<readonly Incident[]> {
  const { status, json, text } = await console.get('/incidents/unacknowledged')
  if (status !== 200) throw new Error(`/incidents/unacknowledged answered ${status}: ${text}`)
  return json['incidents'] as readonly Incident[]
}

/** All incidents of a Bird or token, with every event that was counted: equal ones are not merged. */
export async function incidentsOf(console: Asked, nodeId: string): Promise<readonly Incident[]> {
  const { status, json, text } = await console.get('/incidents/all', { node_id: nodeId, shrink: 'false' })
  if (status !== 200) throw new Error(`/incidents/all answered ${status}: ${text}`)
  return json['incidents'] as readonly Incident[]
}

/** Whether an event has all these fields; a regular expression is for a part of a text. */
const has = (event: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(wanted).every(([name, value]) =>
    value instanceof RegExp ? value.test(String(event[name])) : isDeepStrictEqual(event[name], value),
  )

/** The first incident of a logtype (and Bird) one of whose events has these fields, as soon as the API lists it. */
export function incidentWith(
  console: Asked,
  logtype: string,
  wanted: Readonly<Record<string, unknown>>,
  nodeId?: string,
  patienceMs = 10_000,
): Promise<Incident> {
  return until(
    `an incident ${logtype} with ${JSON.stringify(wanted)}`,
    async () =>
      (await unacknowledged(console)).find(
        ({ description }) =>
          description.logtype === logtype &&
          (nodeId === undefined || description.node_id === nodeId) &&
          description.events.some((event) => has(event, wanted)),
      ),
    patienceMs,
  )
}
