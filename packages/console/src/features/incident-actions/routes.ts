// 4.6: acknowledge, unacknowledge, delete: one incident, or every one that matches.
import { incidentActions } from '@rookery/contract/groups/incident-actions.ts'
import { implement, JsonStream, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import type { Tx } from '../../db/query.ts'
import { incidentNames } from '../../secrets/incident-name.ts'
import {
  changeStates,
  touchIncident,
  type StateAct,
  type StateChange,
} from '../../stores/incidents/state.store.ts'
import type { SearchFilter } from '../../stores/incidents/filter.store.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { findIncident } from '../../stores/incidents/one.store.ts'
import { searchIds } from '../../stores/incidents/search.store.ts'
import { addStretch, findBatch, unchangedSince } from '../../stores/batches/store.ts'
import type { BatchAction } from '../../stores/batches/tables.ts'
import { addComments, commentsOf, removeCommentsOfBatch } from '../../stores/comments/store.ts'
import { commentView } from '../../views/incidents/comments.ts'
import { openChunks } from './chunks.ts'
import { keysAnswer } from './keys-answer.ts'
import { readSelection } from './selection.ts'

type Selection = Params<(typeof incidentActions)['unacknowledgeMany']>

/** Words that come with an action. */
type Said = Pick<Params<(typeof incidentActions)['acknowledgeMany']>, 'comment' | 'verdict'>
type Bulk = Said & { readonly keys?: boolean | undefined }

const UNDONE_BY = {
  acknowledge: 'unacknowledge',
  unacknowledge: 'reacknowledge',
  delete: 'restore',
} as const satisfies Record<BatchAction, StateChange>
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

  async function changeOne(
    call: Call,
    key: string,
    change: BatchAction,
    unchangedSince?: number,
    said: Said = {},
  ) {
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
      await say(tx, call, [row.incident_id], said)
    })
    return { action: DONE[change], key }
  }

  async function changeMany(call: Call, filter: SearchFilter, change: BatchAction, { keys, ...said }: Bulk) {
    // One search: incidents that arrive while the chunks are written do not count.
    const numbers = await searchIds(engine, { scope: call.caller.scope, filter })
    const changed = new Float64Array(numbers.length)
    let count = 0
    const batch = { batch_id: hex(world.random, 32), action: change, created_at: world.clock.now() }
    const chunks = openChunks(numbers, engine.name)
    for (let chunk = chunks.next(); chunk.length > 0; chunk = chunks.next()) {
      const rows = await call.change(async (tx) => {
        chunks.begins()
        const { rows, first } = await changeStates(tx, chunk, act(call, change), filter.acknowledged)
        if (rows.length === 0) return rows
        const last_id = first + chunk.length - 1
        await addStretch(tx, batch, { first_id: first, last_id, n: rows.length })
        await say(
          tx,
          call,
          rows.map((row) => row.incident_id),
          { ...said, batch_id: batch.batch_id },
        )
        return rows
      })
      for (const { incident_id } of rows) changed[count++] = incident_id
      await Promise.all([chunks.ended(), engine.checkpointed()])
    }
    const facts = { count, batch_id: count > 0 ? batch.batch_id : '' }
    const shown = keys === false ? changed.subarray(0, 0) : changed.subarray(0, count)
    return new JsonStream(keysAnswer(reader, engine.name, DONE[change], shown, facts))
  }

  /** Stores the words that came with an action, if there are any. */
  async function say(
    tx: Tx,
    call: Call,
    ids: readonly number[],
    { comment, verdict, batch_id = '' }: Said & { readonly batch_id?: string },
  ): Promise<void> {
    if (comment === undefined && verdict === undefined) return
    await addComments(tx, world.random, ids, {
      at: world.clock.now(),
      author: call.caller.keyId,
      text: comment ?? '',
      verdict: verdict ?? null,
      batch_id,
    })
  }

  /** Undoes a chunk at a time: each bears the numbers of one stretch. */
  async function undo(batchId: string, call: Call) {
    const batch = required(await findBatch(reader, batchId), `There is no bulk action ${batchId}.`)
    let restored = 0
    for (const stretch of batch.stretches) {
      restored += await call.change(async (tx) => {
        const ids = await unchangedSince(tx.query, call.caller.scope, stretch, batch.action === 'delete')
        if (ids.length === 0) return 0
        const { rows } = await changeStates(tx, ids, act(call, UNDONE_BY[batch.action]))
        await removeCommentsOfBatch(tx, batchId, ids)
        return rows.length
      })
      await engine.checkpointed()
    }
    const all = batch.stretches.reduce((sum, { n }) => sum + n, 0)
    return { restored, left: all - restored }
  }

  async function select(params: Selection, { caller }: Call): Promise<SearchFilter> {
    const filter = readSelection(params, names, world.clock.now())
    if (filter.flockId !== undefined) await existingFlock(reader, caller.scope, filter.flockId)
    return filter
  }

  return implement(incidentActions, {
    acknowledge: ({ incident, updated_id, ...said }, call: Call) =>
      changeOne(call, incident, 'acknowledge', updated_id, said),
    unacknowledge: ({ incident }, call: Call) => changeOne(call, incident, 'unacknowledge'),
    remove: ({ incident }, call: Call) => changeOne(call, incident, 'delete'),
    async acknowledgeMany(params, call: Call) {
      return changeMany(call, { ...(await select(params, call)), acknowledged: 0 }, 'acknowledge', params)
    },
    async unacknowledgeMany(params, call: Call) {
      const selection = { ...(await select(params, call)), acknowledged: 1 as const }
      return changeMany(call, selection, 'unacknowledge', { keys: params.keys })
    },
    async removeMany({ include_unacknowledged, ...params }, call: Call) {
      const selection = await select(params, call)
      return changeMany(
        call,
        include_unacknowledged ? selection : { ...selection, acknowledged: 1 },
        'delete',
        { keys: params.keys },
      )
    },
    undo: ({ batch_id }, call: Call) => undo(batch_id, call),
    async comment({ incident, comment }, call: Call) {
      if (comment.trim() === '') throw invalidParameter('comment', 'must have words')
      return call.change(async (tx) => {
        const { scope } = call.caller
        const row = required(
          await findIncident(tx.query, names, scope, { key: incident }),
          'Incident not found',
        )
        await say(tx, call, [row.incident_id], { comment })
        await touchIncident(tx, row.incident_id, world.clock.now())
        return { comments: (await commentsOf(tx.query, row.incident_id)).map(commentView) }
      })
    },
  })
}
