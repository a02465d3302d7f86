// Extension: create, rename and delete Flocks, and move Birds between them.
import { flocks } from '@rookery/contract/groups/flocks.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault, required } from '@rookery/kernel/fault.ts'
import { DEFAULT_FLOCK, newFlockId } from '@rookery/kernel/ids.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { dropReceiversOfFlock } from '../../notify/receivers.ts'
import { promoteQueued } from '../../stores/birds/commission.ts'
import { removeEnrolmentsOfFlock } from '../../stores/birds/enrolments.store.ts'
import { birdsOfFlock, findFlockMembership, hasBirds, moveToFlock } from '../../stores/birds/flocks.store.ts'
import { freePlacesIn } from '../../stores/birds/queue.store.ts'
import { addFlock, changeFlock, existingFlock, listFlocks, removeFlock } from '../../stores/flocks/store.ts'
import { removeIgnoreOfFlock } from '../../stores/ignore/store.ts'
import { removeKeysOfFlock } from '../../stores/keys/store.ts'
import { hasTokens } from '../../stores/tokens/store.ts'
import { removeRolesOfFlock } from '../../stores/users/store.ts'
import { removeListsOfFlock } from '../../stores/notifications/store.ts'

export const flocksRoutes = ({ reader, world }: Pick<AppContext, 'reader' | 'world'>): Route<Call>[] =>
  implement(flocks, {
    async create({ name }, call: Call) {
      const flock = {
        flock_id: newFlockId(world.random),
        name: trimmedName(name),
        created_at: world.clock.now(),
      }
      call.note({ flock_id: flock.flock_id })
      await call.change(async (tx) => {
        await addFlock(tx.query, flock)
        // Flock names are cached until the configuration changes.
        await tx.configChanged()
      })
      return { flock_id: flock.flock_id }
    },

    async rename({ flock_id, name }, call: Call) {
      const wanted = trimmedName(name)
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        await changeFlock(tx.query, flock_id, { name: wanted })
        await tx.configChanged()
      })
      return { flock_id }
    },

    async remove({ flock_id }, call: Call) {
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        if (flock_id === DEFAULT_FLOCK) throw new Fault('conflict', 'Cannot delete default flock')
        if ((await hasBirds(tx.query, flock_id)) || (await hasTokens(tx.query, flock_id))) {
          throw new Fault('conflict', 'Cannot delete a non-empty flock')
        }
        // Everything that belongs to this Flock alone is deleted with it.
        await removeKeysOfFlock(tx.query, flock_id)
        await removeEnrolmentsOfFlock(tx.query, flock_id)
        await removeRolesOfFlock(tx.query, flock_id)
        await dropReceiversOfFlock(tx, flock_id)
        await removeListsOfFlock(tx.query, flock_id)
        await removeIgnoreOfFlock(tx, flock_id)
        await removeFlock(tx.query, flock_id)
        await tx.configChanged()
      })
      return { flock_id }
    },

    async move({ node_id, flock_id }, call: Call) {
      await call.change(async (tx) => {
        const place = required(
          await findFlockMembership(tx.query, call.caller.scope, node_id),
          'Bird not found',
        )
        const flock = await existingFlock(tx.query, call.caller.scope, flock_id)
        if (place.state !== 'registered') throw new Fault('conflict', 'Only a registered Bird can be moved.')
        if (place.flock_id === flock_id) return
        if ((await freePlacesIn(tx.query, flock_id)) < 1) {
          throw new Fault('conflict', `Flock ${flock.name} is full: its limit is ${flock.bird_limit} Birds.`)
        }
        await moveToFlock(tx.query, node_id, flock_id, world.clock.now())
        await promoteQueued(tx, place.flock_id, world)
      })
      return { flock_id }
    },

    async members({ flock_id }, { caller }: Call) {
      await existingFlock(reader, caller.scope, flock_id)
      return { sensors: await birdsOfFlock(reader, flock_id) }
    },

    async list(_params, { caller }: Call) {
      const rows = await listFlocks(reader, caller.scope)
      return { flocks: Object.fromEntries(rows.map((flock) => [flock.flock_id, flock.name])) }
    },
  })

/** The name without blanks around it; a name of blanks alone is a `bad-input`. */
function trimmedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '')
    throw new Fault('bad-input', 'Flock name cannot be empty.', { details: { name: 'must not be empty' } })
  return trimmed
}
