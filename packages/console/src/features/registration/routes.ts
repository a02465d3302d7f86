// 4.2: pending and queued Birds, commissioning, decommissioning.
import { registration } from '@rookery/contract/groups/registration.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, invalidParameter, required } from '@rookery/kernel/fault.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { Row, Scope, Tx } from '../../db/query.ts'
import type { Call } from '../../http/call.ts'
import { addCommand, hasOpenCommand } from '../../stores/birds/commands.store.ts'
import {
  commission,
  commissionOrQueue,
  DECOMMISSION,
  removeBird,
  type Assigned,
} from '../../stores/birds/commission.ts'
import { notifyLinks } from '../../stores/birds/link-changes.store.ts'
import { listBirds } from '../../stores/birds/lists.store.ts'
import { freePlacesIn, queuedBirds } from '../../stores/birds/queue.store.ts'
import { changeBirds, findBird, findBirds, type BirdRow } from '../../stores/birds/store.ts'
import { existingFlock } from '../../stores/flocks/store.ts'
import { pendingBird, queuedBird } from './views.ts'

interface RegistrationDeps extends Pick<AppContext, 'engine' | 'reader' | 'world'> {
  /** Called after the commit: the links of changed Birds read them now. */
  readonly wakeLinks: () => void
}

const MAX_AT_ONCE = 10_000

export const registrationRoutes = (base: RegistrationDeps): Route<Call>[] => {
  const { engine, reader, world, wakeLinks } = base

  async function write<T>({ change }: Call, work: (tx: Tx) => Promise<T>): Promise<T> {
    const answer = await change(work)
    wakeLinks()
    return answer
  }

  const cancel = (nodeIds: readonly string[], call: Call): Promise<void> =>
    write(call, async (tx) => {
      const birds = await waitingBirds(tx, call, nodeIds)
      const now = world.clock.now()
      await changeBirds(
        tx,
        birds.map(({ node_id }): Row => ({
          node_id,
          state: 'cancelled',
          flock_id: '',
          tombstone_at: now,
          updated_at: now,
        })),
      )
      await notifyLinks(tx, nodeIds)
    })

  const assign = (nodeIds: readonly string[], flockId: string, call: Call): Promise<Assigned> =>
    write(call, async (tx) => {
      await existingFlock(tx.query, call.caller.scope, flockId)
      return commissionOrQueue(tx, await waitingBirds(tx, call, nodeIds), flockId, world)
    })

  return implement(registration, {
    async pending(_params, { caller }: Call) {
      const birds = await listBirds(reader, engine.name, caller.scope, { state: 'pending' })
      return { devices: birds.map(pendingBird) }
    },
    async queued({ flock_id }, call: Call) {
      await existingFlock(reader, call.caller.scope, flock_id)
      return { devices: (await queuedBirds(reader, flock_id)).map(queuedBird) }
    },
    async cancel({ node_id }, call: Call) {
      await cancel([node_id], call)
      return {}
    },
    async cancelMany({ node_ids }, call: Call) {
      await cancel(idsOf(node_ids), call)
      return {}
    },
    async commission({ node_id, flock_id }, call: Call) {
      await write(call, async (tx) => {
        const flock = await existingFlock(tx.query, call.caller.scope, flock_id)
        const birds = await waitingBirds(tx, call, [node_id])
        if ((await freePlacesIn(tx.query, flock_id)) < 1) {
          throw new Fault(
            'conflict',
            `The Flock ${flock.name} is full: its limit is ${flock.bird_limit} Birds.`,
          )
        }
        await commission(tx, birds, flock_id, world)
      })
      return { node_id }
    },
    async assign({ node_id, flock_id }, call: Call) {
      const { queued } = await assign([node_id], flock_id, call)
      return { node_id, state: queued.length > 0 ? ('queued' as const) : ('assigned' as const) }
    },
    async assignMany({ node_ids, flock_id }, call: Call) {
      return assign(idsOf(node_ids), flock_id, call)
    },
    async decommission({ node_id, skip_poweroff }, call: Call) {
      const delayed = await write(call, (tx) =>
        decommission(tx, world, call.caller.scope, node_id, skip_poweroff),
      )
      return { delayed, node_id }
    },
  })
}

/** Removes the Bird, or sends it the command; answers whether its removal is awaited. */
async function decommission(
  tx: Tx,
  world: RegistrationDeps['world'],
  scope: Scope,
  nodeId: string,
  skipPowerOff: boolean,
): Promise<boolean> {
  const bird = required(await findBird(tx.query, scope, nodeId), 'Bird not found')
  if (bird.state === 'removed' || bird.state === 'cancelled') throw new Fault('not-found', 'Bird not found')
  if (bird.state !== 'registered') {
    throw new Fault(
      'conflict',
      `Bird ${nodeId} is ${bird.state}, not registered: cancel its commission instead.`,
    )
  }
  if (skipPowerOff || bird.live === 0) {
    await removeBird(tx, bird, world)
    return false
  }
  if (!(await hasOpenCommand(tx.query, nodeId, DECOMMISSION))) {
    await addCommand(tx, {
      command_id: hex(world.random, 32),
      node_id: nodeId,
      kind: DECOMMISSION,
      payload: '{}',
      created_at: world.clock.now(),
    })
  }
  return true
}

/** The pending and queued Birds of these ids, in their order. Throws at the first that is missing or registered. */
async function waitingBirds(tx: Tx, { caller }: Call, nodeIds: readonly string[]): Promise<BirdRow[]> {
  const known = await findBirds(tx, caller.scope, nodeIds)
  const birds: BirdRow[] = []
  for (const nodeId of nodeIds) {
    const bird = known.get(nodeId)
    const naming =
      nodeIds.length > 1 ? { details: { node_ids: `${nodeId.slice(0, 64)} is the wrong one` } } : {}
    if (!bird || bird.state === 'removed' || bird.state === 'cancelled') {
      const message = nodeIds.length > 1 ? `Bird not found: ${nodeId.slice(0, 64)}` : 'Bird not found'
      throw new Fault('not-found', message, naming)
    }
    if (bird.state === 'registered') throw new Fault('conflict', `Bird ${nodeId} is not pending.`, naming)
    birds.push(bird)
  }
  return birds
}

function idsOf(list: string): string[] {
  const ids = [
    ...new Set(
      list
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean),
    ),
  ]
  if (ids.length === 0)
    throw new Fault('bad-input', 'Empty node_ids', { details: { node_ids: 'must name a Bird' } })
  if (ids.length > MAX_AT_ONCE) {
    throw invalidParameter('node_ids', `must name at most ${MAX_AT_ONCE} Birds, not ${ids.length}`)
  }
  return ids
}
