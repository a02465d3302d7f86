// Extension: what the console asks of people who sign in, and how long they stay.
import { signInSettings } from '@rookery/contract/groups/sign-in-settings.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { readSettings, writeSetting, type ConsoleSettings } from '../../stores/settings/store.ts'
import { findUserById, hasFactor } from '../../stores/users/store.ts'

export const signInSettingsRoutes = ({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] =>
  implement(signInSettings, {
    read: async () => shown(await readSettings(reader)),
    async change({ second_factor_required, idle_minutes, longest_hours }, call: Call) {
      const { person } = call.caller
      return call.change(async (tx) => {
        const own = person && (await findUserById(tx.query, person.userId))
        if (second_factor_required && own && !hasFactor(own))
          throw new Fault('conflict', 'Add a second factor of your own first; this would shut you out.')
        const given = { second_factor_required, idle_minutes, longest_hours }
        for (const name of ['second_factor_required', 'idle_minutes', 'longest_hours'] as const)
          if (given[name] !== undefined) await writeSetting(tx, name, String(given[name]))
        return shown(await readSettings(tx.query))
      })
    },
  })

const shown = (settings: ConsoleSettings) => ({
  second_factor_required: settings.second_factor_required === 'true',
  idle_minutes: Number(settings.idle_minutes),
  longest_hours: Number(settings.longest_hours),
})
