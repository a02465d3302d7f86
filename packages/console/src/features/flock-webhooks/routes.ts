// 4.17, the switch of a Flock's webhooks; 4.18, webhooks/info.
import { flockWebhooks } from '@rookery/contract/groups/flock-webhooks.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { openReceiver } from '../../notify/receiver.ts'
import { receiverKinds } from '../../notify/receivers.gen.ts'
import { areWebhooksOn } from '../../notify/receivers.ts'
import { shownWith } from '../../notify/webhook-operations.ts'
import { changeFlock, existingFlock, type Flock } from '../../stores/flocks/store.ts'
import { listReceivers } from '../../stores/webhooks/store.ts'

const { isEnabled, isGlobal, disable, enable, useGlobal, info } = flockWebhooks

export const flockWebhooksRoutes = (deps: Pick<AppContext, 'reader' | 'config' | 'vault'>): Route<Call>[] => {
  const { reader, config } = deps

  const switchTo = (call: Call, flockId: string, mode: Flock['webhooks_mode']): Promise<object> =>
    call.change(async (tx) => {
      await existingFlock(tx.query, call.caller.scope, flockId)
      await changeFlock(tx.query, flockId, { webhooks_mode: mode })
      await tx.configChanged()
      return {}
    })

  const switches = implement(
    { isEnabled, isGlobal, disable, enable, useGlobal },
    {
      async isEnabled({ flock_id }, call: Call) {
        const flock = await existingFlock(reader, call.caller.scope, flock_id)
        return { is_enabled: await areWebhooksOn(config, flock) }
      },
      async isGlobal({ flock_id }, call: Call) {
        const flock = await existingFlock(reader, call.caller.scope, flock_id)
        return { is_global: flock.webhooks_mode === 'global' }
      },
      disable: ({ flock_id }, call: Call) => switchTo(call, flock_id, 'off'),
      enable: ({ flock_id }, call: Call) => switchTo(call, flock_id, 'on'),
      useGlobal: ({ flock_id }, call: Call) => switchTo(call, flock_id, 'global'),
    },
  )
  return [...switches, { operation: info, handle: showInfo(deps) }]
}

/** Every kind shows its receivers in a field of its own. */
const showInfo =
  ({ reader, config, vault }: Pick<AppContext, 'reader' | 'config' | 'vault'>): Route<Call>['handle'] =>
  async (params, { caller }) => {
    const flock = await existingFlock(reader, caller.scope, String(params['flock_id']))
    const rows = await listReceivers(reader, flock.flock_id)
    const fields = Object.values(receiverKinds).flatMap(({ descriptor }) => {
      if (descriptor.madeBy !== 'operations') return []
      const { kind, view, info } = descriptor
      const views = rows
        .filter((row) => row.kind === kind)
        .map((row) => shownWith(row, view(openReceiver(vault, row), caller.type === 'admin')))
      return [[info.field, info.holds === 'one' ? (views[0] ?? {}) : views]]
    })
    return {
      webhook_info: {
        ...Object.fromEntries(fields),
        // In the specification, and not served.
        legacychat_webhooks: [],
        webhooks_enabled: await areWebhooksOn(config, flock),
      },
    }
  }
