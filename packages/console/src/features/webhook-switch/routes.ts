// Extension: the console's switch of webhooks.
import { webhookSwitch } from '@rookery/contract/groups/webhook-switch.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { Call } from '../../http/call.ts'
import { writeSetting } from '../../stores/settings/store.ts'

export const webhookSwitchRoutes = (): Route<Call>[] => {
  const set = (call: Call, value: 'true' | 'false'): Promise<object> =>
    call.change(async (tx) => {
      await writeSetting(tx, 'webhooks_enabled', value)
      return {}
    })
  return implement(webhookSwitch, {
    disable: (_params, call: Call) => set(call, 'false'),
    enable: (_params, call: Call) => set(call, 'true'),
  })
}
