// 4.15: switches of integrations with other systems.
import { integrations } from '@rookery/contract/groups/integrations.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { AppContext } from '../../app-context.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Call } from '../../http/call.ts'
import { readSettings, writeSetting } from '../../stores/settings/store.ts'

interface IntegrationsDeps extends Pick<AppContext, 'config'> {
  readonly assets: Pick<Assets, 'isConfigured' | 'refusal' | 'refresh'>
}

export const integrationsRoutes = ({ config, assets }: IntegrationsDeps): Route<Call>[] => {
  const switchAssets = async (call: Call, isOn: boolean): Promise<object> => {
    await call.change((tx) => writeSetting(tx, 'assetinv_enabled', String(isOn)))
    return {}
  }

  return implement(integrations, {
    async list() {
      const { assetinv_enabled } = await config.get('settings', readSettings)
      return { integrations: { assetinv: assets.isConfigured && assetinv_enabled === 'true' } }
    },
    async enableAssets(_params, call: Call) {
      if (!assets.isConfigured) {
        throw new Fault(
          'conflict',
          'No asset inventory is configured. Start the console with ROOKERY_ASSETINV_URL, and ROOKERY_ASSETINV_TOKEN if it asks for one.',
        )
      }
      if (assets.refusal !== undefined)
        throw new Fault('bad-input', `ROOKERY_ASSETINV_URL cannot be asked: ${assets.refusal}`)
      const answer = await switchAssets(call, true)
      void assets.refresh()
      return answer
    },
    disableAssets: (_params, call: Call) => switchAssets(call, false),
  })
}
