// Extension: how many Birds a Flock takes. Queued Birds are commissioned as soon as there is room.
import { flockLimits } from '@rookery/contract/groups/flock-limits.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { promoteQueued } from '../../stores/birds/commission.ts'
import { changeFlock, existingFlock, type Flock } from '../../stores/flocks/store.ts'

const view = ({ bird_limit, limit_enabled }: Flock) => ({
  limit: bird_limit,
  is_enabled: limit_enabled === 1,
})

export const flockLimitsRoutes = ({ reader, world }: Pick<AppContext, 'reader' | 'world'>): Route<Call>[] => {
  const change = (
    { caller, change: write }: Call,
    flockId: string,
    to: Partial<Pick<Flock, 'bird_limit' | 'limit_enabled'>>,
  ) =>
    write(async (tx) => {
      const flock = await existingFlock(tx.query, caller.scope, flockId)
      await changeFlock(tx.query, flockId, to)
      await promoteQueued(tx, flockId, world)
      return view({ ...flock, ...to })
    })

  return implement(flockLimits, {
    async read({ flock_id }, { caller }: Call) {
      return view(await existingFlock(reader, caller.scope, flock_id))
    },
    set: ({ flock_id, limit }, call: Call) => change(call, flock_id, { bird_limit: limit }),
    enable: ({ flock_id }, call: Call) => change(call, flock_id, { limit_enabled: 1 }),
    disable: ({ flock_id }, call: Call) => change(call, flock_id, { limit_enabled: 0 }),
  })
}
