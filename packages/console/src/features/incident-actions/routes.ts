// 4.6: acknowledge, unacknowledge, delete: one incident, or every one that matches.
import { incidentActions } from '@rookery/contract/groups/incident-actions.ts'
import { implement, JsonStream, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { parseSpan } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { canonicalRange } from '../../net/ranges.ts'
import { incidentNames } from '../../secrets/incident-name.ts'
import { changeStates, type StateAct, type StateChange } from '../../stores/incidents/state.store.ts'
import type { SearchFilter } from '../../stores/incidents/filter.store.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { findIncident } from '../../stores/incidents/one.store.ts'
import { searchIds } from '../../stores/incidents/search.store.ts'
import { openChunks } from './chunks.ts'
import { keysAnswer } from './keys-answer.ts'

type Selection = Params<(typeof incidentActions)['acknowledgeMany']>

const DONE = { acknowledge: 'acknowledged', unacknowledge: 'unacknowledged', delete: 'deleted' } as const

type IncidentActionDeps = Pick<AppContext, 'engine' | 'reader' | 'world' | 'vault'>

export const incidentActionsRoutes = ({
  engine,
  reader,
  world,
  vault,
}: IncidentActionDeps): Route<Call>[] => {
  const names = incidentNames(vault)

  const act = ({ caller }: Call, change: StateChange): StateAct => ({
    change,
    by: caller.keyId,
    now: world.clock.now(),
  })

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
      if (change === 'acknowledge' && row.acknowledged === 1) return
      if (change === 'unacknowledge' && row.acknowledged === 0) return
      await changeStates(tx, [row.incident_id], act(call, change))
    })
    return { action: DONE[change], key }
  }

  async function changeMany(call: Call, filter: SearchFilter, change: StateChange) {
    // One search: incidents that arrive while the chunks are written do not count.
    const numbers = await searchIds(engine, { scope: call.caller.scope, filter })
    const changed = new Float64Array(numbers.length)
    let count = 0
    const chunks = openChunks(numbers, engine.name)
    for (let chunk = chunks.next(); chunk.length > 0; chunk = chunks.next()) {
      const rows = await call.change(async (tx) => {
        chunks.begins()
        return changeStates(tx, chunk, act(call, change), filter.acknowledged)
      })
      for (const { incident_id } of rows) changed[count++] = incident_id
      await Promise.all([chunks.ended(), engine.checkpointed()])
    }
    return new JsonStream(keysAnswer(reader, engine.name, DONE[change], changed.subarray(0, count)))
  }

  async function select(params: Selection, { caller }: Call): Promise<SearchFilter> {
    const filter = readSelection(params, world.clock.now())
    if (filter.flockId !== undefined) await existingFlock(reader, caller.scope, filter.flockId)
    return filter
  }

  return implement(incidentActions, {
    acknowledge: ({ incident, updated_id }, call: Call) =>
      changeOne(call, incident, 'acknowledge', updated_id),
    unacknowledge: ({ incident }, call: Call) => changeOne(call, incident, 'unacknowledge'),
    remove: ({ incident }, call: Call) => changeOne(call, incident, 'delete'),
    async acknowledgeMany(params, call: Call) {
      return changeMany(call, { ...(await select(params, call)), acknowledged: 0 }, 'acknowledge')
    },
    async unacknowledgeMany(params, call: Call) {
      return changeMany(call, { ...(await select(params, call)), acknowledged: 1 }, 'unacknowledge')
    },
    async removeMany({ include_unacknowledged, ...params }, call: Call) {
      const selection = await select(params, call)
      return changeMany(
        call,
        include_unacknowledged ? selection : { ...selection, acknowledged: 1 },
        'delete',
      )
    },
  })
}

/** The incidents that the parameters name; at least one parameter must be given. */
function readSelection(params: Selection, now: number): SearchFilter {
  const { flock_id, node_id, src_host, older_than, filter_str, filter_logtypes } = params
  if (node_id !== undefined && src_host !== undefined) {
    throw new Fault('bad-input', 'Cannot use src_host and node_id together')
  }
  const filter: SearchFilter = {
    ...(flock_id !== undefined && { flockId: flock_id }),
    ...(node_id !== undefined && { nodeId: node_id }),
    // In the spelling in which sources are stored; another text is no source's.
    ...(src_host !== undefined && {
      srcHost: canonicalRange(src_host) ?? src_host,
      ofOneSource: true as const,
    }),
    ...createdBefore(older_than, now),
    ...(filter_str !== undefined && { text: filter_str }),
    ...(filter_logtypes !== undefined && { logtypes: logtypesOf(filter_logtypes) }),
  }
  if (older_than !== undefined || Object.keys(filter).length > 0) return filter
  throw new Fault(
    'bad-input',
    'At least one of flock_id, node_id, src_host, older_than, filter_str and filter_logtypes is required.',
  )
}

function logtypesOf(list: string): string[] {
  const logtypes = list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (logtypes.length > 0) return logtypes
  throw new Fault('bad-input', 'Empty filter_logtypes', {
    details: { filter_logtypes: 'must name a logtype' },
  })
}

/** `0h` has no bound: it includes incidents that a wrong clock dated into the future. */
function createdBefore(olderThan: string | undefined, now: number): Pick<SearchFilter, 'createdBefore'> {
  const ageMs = olderThan === undefined ? 0 : parseSpan(olderThan, 'older_than')
  return ageMs === 0 ? {} : { createdBefore: now - ageMs + 1 }
}
