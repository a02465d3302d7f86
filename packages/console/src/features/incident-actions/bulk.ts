// Bulk actions and how they are undone: in chunks, each of which bears a stretch of numbers (`updated_id`) of its own.
import { JsonStream } from '@rookery/contract/implement.ts'
import { required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { addStretch, findBatch, unchangedSince } from '../../stores/batches/store.ts'
import type { BatchAction } from '../../stores/batches/tables.ts'
import { removeCommentsOfBatch } from '../../stores/comments/store.ts'
import type { SearchFilter } from '../../stores/incidents/filter.store.ts'
import { searchIds } from '../../stores/incidents/search.store.ts'
import type { Followers } from '../../notify/queue/following.ts'
import { changeStates, type StateAct, type StateChange } from '../../stores/incidents/state.store.ts'
import { letTouchesIn, openChunks } from './chunks.ts'
import { keysAnswer } from './keys-answer.ts'
import { say, wordsOf, type Said } from './say.ts'

export type BulkDeps = Pick<AppContext, 'engine' | 'reader' | 'world'> & Pick<Followers, 'tell' | 'wake'>

/** What is said, and whether the answer names the incidents. */
type Bulk = Said & { readonly keys?: boolean | undefined }

export const DONE = {
  acknowledge: 'acknowledged',
  unacknowledge: 'unacknowledged',
  delete: 'deleted',
} as const
const UNDONE_BY = {
  acknowledge: 'unacknowledge',
  unacknowledge: 'reacknowledge',
  delete: 'restore',
} as const satisfies Record<BatchAction, StateChange>

export async function changeMany(
  { engine, reader, world, tell, wake }: BulkDeps,
  call: Call,
  filter: SearchFilter,
  change: BatchAction,
  { keys, ...said }: Bulk,
): Promise<JsonStream> {
  // One search: incidents that arrive while the chunks are written do not count.
  const numbers = await searchIds(engine, { scope: call.caller.scope, filter })
  const changed = new Float64Array(numbers.length)
  let count = 0
  const batchId = hex(world.random, 32)
  const batch = { batch_id: batchId, action: change, created_at: world.clock.now(), comment: wordsOf(said) }
  const chunks = openChunks(numbers, engine.name)
  for (let chunk = chunks.next(); chunk.length > 0; chunk = chunks.next()) {
    const rows = await call.change(async (tx) => {
      chunks.begins()
      const { rows, first } = await changeStates(tx, chunk, actOf(world, call, change), {
        acknowledged: filter.acknowledged,
      })
      if (rows.length === 0) return rows
      const byFlock = new Map<string, number>()
      for (const { flock_id } of rows) byFlock.set(flock_id, (byFlock.get(flock_id) ?? 0) + 1)
      const stretch = { first_id: first, last_id: first + chunk.length - 1, n: rows.length }
      await addStretch(tx, batch, stretch, byFlock)
      const ids = rows.map((row) => row.incident_id)
      await say(tx, world, ids, { ...said, by: call.caller, batchId })
      await tell(tx, change, ids)
      return rows
    })
    for (const { incident_id } of rows) changed[count++] = incident_id
    await Promise.all([chunks.ended(), engine.checkpointed()])
  }
  wake()
  const facts = { count, batch_id: count > 0 ? batchId : '' }
  const shown = changed.subarray(0, keys === false ? 0 : count)
  return new JsonStream(keysAnswer(reader, engine.name, DONE[change], shown, facts))
}

/** What has changed since the bulk action stays as it is. */
export async function undo(
  { engine, reader, world, tell, wake }: BulkDeps,
  batchId: string,
  call: Call,
): Promise<{ readonly restored: number; readonly left: number }> {
  const batch = required(
    await findBatch(reader, call.caller.scope, batchId),
    `There is no bulk action ${batchId}.`,
  )
  const { action, stretches } = batch
  let restored = 0
  for (const stretch of stretches) {
    restored += await call.change(async (tx) => {
      const ids = await unchangedSince(tx.query, call.caller.scope, stretch, action === 'delete')
      if (ids.length === 0) return 0
      const { rows } = await changeStates(tx, ids, actOf(world, call, UNDONE_BY[action]), { stretch })
      const changed = rows.map((row) => row.incident_id)
      await removeCommentsOfBatch(tx, batchId, changed)
      await tell(tx, UNDONE_BY[action], changed)
      return rows.length
    })
    await Promise.all([letTouchesIn(), engine.checkpointed()])
  }
  wake()
  return { restored, left: stretches.reduce((sum, { n }) => sum + n, 0) - restored }
}

export const actOf = (
  { clock }: Pick<AppContext['world'], 'clock'>,
  { caller }: Call,
  change: StateChange,
): StateAct => ({ change, by: caller.keyId, now: clock.now() })
