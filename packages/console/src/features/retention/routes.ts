// Extension: how long the console, and a Flock in its own way, keep incidents that are done with, and deliveries.
import { MIN_DELIVERY_DAYS, retention } from '@rookery/contract/groups/retention.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import { countDue } from '../../flows/retention/count-due.ts'
import { readRetention, type Kept } from '../../flows/retention/rules.ts'
import type { Call } from '../../http/call.ts'
import { changeFlock, existingFlock, type Flock } from '../../stores/flocks/store.ts'
import { writeSetting } from '../../stores/settings/store.ts'

type Given = { readonly [K in keyof Kept]?: number }

const NAMES = ['incident_days', 'delivery_days'] as const
/** What the API says for a Flock that does as the console. */
const FOLLOWS = -1

export const retentionRoutes = ({
  engine,
  reader,
  world,
}: Pick<AppContext, 'engine' | 'reader' | 'world'>): Route<Call>[] =>
  implement(retention, {
    read: async () => ofConsole(await readRetention(reader)),

    async change(given, call: Call) {
      checkDeliveries(given)
      return call.change(async (tx) => {
        for (const name of NAMES)
          if (given[name] !== undefined) await writeSetting(tx, name, String(given[name]))
        return ofConsole(await readRetention(tx.query))
      })
    },

    async due(given) {
      checkDeliveries(given)
      return countDue(engine, { ...(await readRetention(reader)), ...given }, world.clock.now())
    },

    async readFlock({ flock_id }, { caller }: Call) {
      return ofFlock(await existingFlock(reader, caller.scope, flock_id))
    },

    async changeFlock({ flock_id, ...given }, call: Call) {
      checkDeliveries(given)
      return call.change(async (tx) => {
        const flock = await existingFlock(tx.query, call.caller.scope, flock_id)
        const change: Partial<Pick<Flock, keyof Kept>> = {}
        for (const name of NAMES) {
          const days = given[name]
          if (days !== undefined) change[name] = days === FOLLOWS ? null : days
        }
        if (Object.keys(change).length > 0) await changeFlock(tx.query, flock_id, change)
        return ofFlock({ ...flock, ...change })
      })
    },
  })

const ofConsole = ({ incident_days, delivery_days }: Kept): Kept => ({ incident_days, delivery_days })

const ofFlock = ({ incident_days, delivery_days }: Pick<Flock, keyof Kept>): Kept => ({
  incident_days: incident_days ?? FOLLOWS,
  delivery_days: delivery_days ?? FOLLOWS,
})

/** What still waits for a receiver must not go. */
function checkDeliveries({ delivery_days: days = 0 }: Given): void {
  if (days > 0 && days < MIN_DELIVERY_DAYS)
    throw new Fault('bad-input', `delivery_days is ${days}; a receiver is tried for five days.`, {
      details: { delivery_days: `must be 0 or at least ${MIN_DELIVERY_DAYS}, not ${days}` },
    })
}
