// Extension: the console's switches that Flocks follow; off until somebody wants to hear of changes.
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
