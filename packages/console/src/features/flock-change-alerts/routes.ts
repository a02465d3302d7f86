// 4.9: a Flock's switches for incidents about changed settings: its own, and those of its Birds.
import { flockChangeAlerts } from '@rookery/contract/groups/flock-change-alerts.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import { isAlerting } from '../../flows/settings-change/watch.ts'
import type { Call } from '../../http/call.ts'
import { changeFlock, existingFlock, type Flock } from '../../stores/flocks/store.ts'

type Mode = Flock['flock_settings_alerts']
type Subject = 'flock' | 'device'

interface FlockParams {
  readonly flock_id: string
}

const MODE_TEXT: Record<Mode, string> = { global: 'Global', on: 'Enabled', off: 'Disabled' }

export const flockChangeAlertsRoutes = ({ reader }: Pick<AppContext, 'reader'>): Route<Call>[] => {
  const switchTo =
    (subject: Subject, mode: Mode) =>
    async ({ flock_id }: FlockParams, call: Call) => {
      await call.change(async (tx) => {
        await existingFlock(tx.query, call.caller.scope, flock_id)
        await changeFlock(tx.query, flock_id, { [`${subject}_settings_alerts` as const]: mode })
      })
      return {}
    }

  const isEnabled =
    (subject: Subject) =>
    async ({ flock_id }: FlockParams, call: Call) => {
      await existingFlock(reader, call.caller.scope, flock_id)
      return { is_enabled: await isAlerting(reader, subject, flock_id) }
    }

  const isGlobal =
    (subject: Subject) =>
    async ({ flock_id }: FlockParams, call: Call) => {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      return { is_global: flock[`${subject}_settings_alerts`] === 'global' }
    }

  return implement(flockChangeAlerts, {
    disableFlock: switchTo('flock', 'off'),
    enableFlock: switchTo('flock', 'on'),
    useGlobalFlock: switchTo('flock', 'global'),
    isEnabledFlock: isEnabled('flock'),
    isGlobalFlock: isGlobal('flock'),
    disableDevice: switchTo('device', 'off'),
    enableDevice: switchTo('device', 'on'),
    useGlobalDevice: switchTo('device', 'global'),
    isEnabledDevice: isEnabled('device'),
    isGlobalDevice: isGlobal('device'),
    async info({ flock_id }, call: Call) {
      const flock = await existingFlock(reader, call.caller.scope, flock_id)
      return {
        change_control: {
          device_settings_notifications: MODE_TEXT[flock.device_settings_alerts],
          flock_settings_notifications: MODE_TEXT[flock.flock_settings_alerts],
        },
      }
    },
  })
}
