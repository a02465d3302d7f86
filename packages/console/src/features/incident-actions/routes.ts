// 4.6: acknowledge, unacknowledge, delete: one incident, or every one that matches. Extension: undo, and comments.
import { incidentActions } from '@rookery/contract/groups/incident-actions.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { incidentNames, type IncidentNames } from '../../secrets/incident-name.ts'
import type { BatchAction } from '../../stores/batches/tables.ts'
import { openFollowers, type Followers } from '../../notify/queue/following.ts'
import type { Notifier } from '../../notify/receivers.ts'
import { commentsOf } from '../../stores/comments/store.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import type { SearchFilter } from '../../stores/incidents/filter.store.ts'
import { findIncident } from '../../stores/incidents/one.store.ts'
import { changeStates, touchIncident } from '../../stores/incidents/state.store.ts'
import { commentView } from '../../views/incidents/comments.ts'
import { actOf, changeMany, DONE, undo } from './bulk.ts'
import { say, saysSomething, wordsOf, type Said } from './say.ts'
import { readSelection } from './selection.ts'

type Selection = Params<(typeof incidentActions)['unacknowledgeMany']>

type IncidentActionDeps = Pick<AppContext, 'engine' | 'reader' | 'world' | 'vault' | 'config'> & {
  readonly notifier: Pick<Notifier, 'wake'>
}

export function incidentActionsRoutes(deps: IncidentActionDeps): Route<Call>[] {
  const { reader, world, vault } = deps
  const names = incidentNames(vault)
  const following = openFollowers(deps)
  const base = { ...deps, ...following }
  const one = { ...following, world, names }

  async function select(params: Selection, { caller }: Call): Promise<SearchFilter> {
    const filter = readSelection(params, names, world.clock.now())
    if (filter.flockId !== undefined) await existingFlock(reader, caller.scope, filter.flockId)
    return filter
  }

  return implement(incidentActions, {
    acknowledge: ({ incident, updated_id, ...said }, call: Call) =>
      changeOne(one, call, { key: incident, change: 'acknowledge', unchangedSince: updated_id, said }),
    unacknowledge: ({ incident }, call: Call) =>
      changeOne(one, call, { key: incident, change: 'unacknowledge' }),
    remove: ({ incident }, call: Call) => changeOne(one, call, { key: incident, change: 'delete' }),
    async acknowledgeMany(params, call: Call) {
      const selection = { ...(await select(params, call)), acknowledged: 0 as const }
      const { keys, comment, verdict } = params
      return changeMany(base, call, selection, 'acknowledge', { keys, comment, verdict })
    },
    async unacknowledgeMany(params, call: Call) {
      const selection = { ...(await select(params, call)), acknowledged: 1 as const }
      return changeMany(base, call, selection, 'unacknowledge', { keys: params.keys })
    },
    async removeMany({ include_unacknowledged, ...params }, call: Call) {
      const selection = await select(params, call)
      const only = include_unacknowledged ? selection : { ...selection, acknowledged: 1 as const }
      return changeMany(base, call, only, 'delete', { keys: params.keys })
    },
    undo: ({ batch_id }, call: Call) => undo(base, batch_id, call),
    async comment({ incident, comment }, call: Call) {
      if (wordsOf({ comment }) === '') throw invalidParameter('comment', 'must have words')
      return call.change(async (tx) => {
        const { caller } = call
        const found = await findIncident(tx.query, names, caller.scope, { key: incident })
        const { incident_id } = required(found, 'Incident not found')
        await say(tx, world, [incident_id], { comment, by: caller })
        await touchIncident(tx, incident_id, world.clock.now())
        return { comments: (await commentsOf(tx.query, incident_id)).map(commentView) }
      })
    },
  })
}

interface Ask {
  readonly key: string
  readonly change: BatchAction
  /** Refused if the incident has a larger `updated_id`. */
  readonly unchangedSince?: number | undefined
  readonly said?: Said
}

interface OneDeps extends Pick<AppContext, 'world'>, Followers {
  readonly names: IncidentNames
}

async function changeOne(
  { names, world, tell, wake }: OneDeps,
  call: Call,
  { key, change, unchangedSince, said = {} }: Ask,
): Promise<{ readonly action: string; readonly key: string }> {
  const isIn = change === 'acknowledge' ? 1 : change === 'unacknowledge' ? 0 : undefined
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
    const ids = [row.incident_id]
    if (row.acknowledged !== isIn) {
      const { rows } = await changeStates(tx, ids, actOf(world, call, change))
      if (rows.length > 0) await tell(tx, change, ids)
    }
    // Another was faster: the words count all the same.
    else if (saysSomething(said)) await touchIncident(tx, row.incident_id, world.clock.now())
    await say(tx, world, ids, { ...said, by: call.caller })
  })
  wake()
  return { action: DONE[change], key }
}
