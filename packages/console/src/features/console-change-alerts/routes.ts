// Extension: the console-wide switches of change alerts, which Flocks follow; off by default.
import { consoleChangeAlerts } from '@rookery/contract/groups/console-change-alerts.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Call } from '../../http/call.ts'
import { writeSetting } from '../../stores/settings/store.ts'

export const consoleChangeAlertsRoutes = (): Route<Call>[] => {
  const switchTo =
    (of: 'flock' | 'device', enabled: boolean) =>
    async (_params: object, { change }: Call) => {
      await change((tx) => writeSetting(tx, `${of}_settings_alerts`, String(enabled)))
      return {}
    }

  return implement(consoleChangeAlerts, {
    disableFlock: switchTo('flock', false),
    enableFlock: switchTo('flock', true),
    disableDevice: switchTo('device', false),
    enableDevice: switchTo('device', true),
  })
}
