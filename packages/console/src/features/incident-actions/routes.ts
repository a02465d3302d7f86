// 4.6: acknowledge, unacknowledge, delete: one incident, or every one that matches.
import { incidentActions } from '@rookery/contract/groups/incident-actions.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { parseSpan } from '@rookery/kernel/time.ts'
import type { Base } from '../../base.ts'
import type { Call } from '../../http/call.ts'
import { incidentNames } from '../../secrets/incident-name.ts'
import { applyChange, chunkOf, type StateChange } from '../../stores/incidents/actions.store.ts'
import type { IncidentFilter } from '../../stores/incidents/filter.store.ts'
import { findIncident } from '../../stores/incidents/store.ts'

type Selection = Params<(typeof incidentActions)['acknowledgeMany']>

/** Incidents a transaction changes; ingest gets its turn in between. */
const CHUNK = 1_000

const DONE = { acknowledge: 'acknowledged', unacknowledge: 'unacknowledged', delete: 'deleted' } as const

export const incidentActionRoutes = ({ world, vault }: Pick<Base, 'world' | 'vault'>): Route<Call>[] => {
  const names = incidentNames(vault)

  async function changeOne(call: Call, key: string, change: StateChange, unchangedSince?: number) {
    await call.change(async (tx) => {
      const row = required(
        await findIncident(tx.query, names, call.caller.scope, { key }),
        'Incident not found',
      )
      if (change === 'delete' && row.acknowledged === 0) {
        throw new Fault('conflict', 'The incident must be acknowledged before it is deleted.')
      }
      if (unchangedSince !== undefined && row.updated_id > unchangedSince) {
        throw new Fault(
          'conflict',
          `The incident changed since updated_id ${unchangedSince}: it is ${row.updated_id} now.`,
        )
      }
      await applyChange(tx, [row], change, world.clock.now())
    })
    return { action: DONE[change], key }
  }

  async function changeMany(call: Call, filter: IncidentFilter, change: StateChange) {
    const keys: string[] = []
    // What arrives while the chunks go by is not meant.
    const createdBefore = Math.min(filter.createdBefore ?? Infinity, world.clock.now() + 1)
    let last = 0
    for (;;) {
      const rows = await call.change(async (tx) => {
        const chunk = await chunkOf(tx, call.caller.scope, { ...filter, createdBefore }, last, CHUNK)
        await applyChange(tx, chunk, change, world.clock.now())
        return chunk
      })
      keys.push(...rows.map((row) => row.incident_key))
      if (rows.length < CHUNK) return { action: DONE[change], keys }
      last = rows.at(-1)?.incident_id ?? last
    }
  }

  return implement(incidentActions, {
    acknowledge: ({ incident, updated_id }, call: Call) =>
      changeOne(call, incident, 'acknowledge', updated_id),
    unacknowledge: ({ incident }, call: Call) => changeOne(call, incident, 'unacknowledge'),
    remove: ({ incident }, call: Call) => changeOne(call, incident, 'delete'),
    acknowledgeMany: (params, call: Call) =>
      changeMany(call, { ...readSelection(params, world.clock.now()), acknowledged: 0 }, 'acknowledge'),
    unacknowledgeMany: (params, call: Call) =>
      changeMany(call, { ...readSelection(params, world.clock.now()), acknowledged: 1 }, 'unacknowledge'),
    removeMany({ include_unacknowledged, ...params }, call: Call) {
      const selection = readSelection(params, world.clock.now())
      return changeMany(
        call,
        include_unacknowledged ? selection : { ...selection, acknowledged: 1 },
        'delete',
      )
    },
  })
}

/** The incidents that the parameters name; at least one parameter must be given. */
function readSelection(params: Selection, now: number): IncidentFilter {
  const { flock_id, node_id, src_host, older_than, filter_str, filter_logtypes } = params
  if (node_id !== undefined && src_host !== undefined) {
    throw new Fault('bad-input', 'Cannot use src_host and node_id together')
  }
  const filter: IncidentFilter = {
    ...(flock_id !== undefined && { flockId: flock_id }),
    ...(node_id !== undefined && { nodeId: node_id }),
    ...(src_host !== undefined && { srcHost: src_host }),
    ...(older_than !== undefined && { createdBefore: now - parseSpan(older_than, 'older_than') + 1 }),
    ...(filter_str !== undefined && { text: filter_str }),
    ...(filter_logtypes !== undefined && {
      logtypes: filter_logtypes
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    }),
  }
  if (Object.keys(filter).length > 0) return filter
  throw new Fault(
    'bad-input',
    'At least one of flock_id, node_id, src_host, older_than, filter_str and filter_logtypes is required.',
  )
}
