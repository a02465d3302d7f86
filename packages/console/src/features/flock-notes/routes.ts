// 4.12: one free-text note per Flock.
import { flockNotes } from '@rookery/contract/groups/flock-notes.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { changeFlock, existingFlock } from '../../stores/flocks/store.ts'

export const flockNotesRoutes = ({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] => {
  const write = (call: Call, flockId: string, note: string): Promise<void> =>
    call.change(async (tx) => {
      await existingFlock(tx.query, call.caller.scope, flockId)
      await changeFlock(tx.query, flockId, { note })
    })

  return implement(flockNotes, {
    async read({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      return { note: flock.note }
    },
    async add({ flock_id, note }, call: Call) {
      await write(call, flock_id, note)
      return {}
    },
    async remove({ flock_id }, call: Call) {
      await write(call, flock_id, '')
      return {}
    },
  })
}
