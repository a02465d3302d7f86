// Extension: the settings of this console, without its secrets.
import { consoleSettings } from '@rookery/contract/groups/console-settings.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import type { Call } from '../../http/call.ts'
import { readSettings } from '../../stores/settings/store.ts'
import { countUsers } from '../../stores/users/store.ts'
import { VERSION } from '../../version.ts'

/** Options that every key may read. */
export interface Options {
  readonly keepKeys: boolean
  readonly tokensUrl: string
  readonly tokensDomain: string
}

interface ConsoleSettingsDeps extends Pick<AppContext, 'reader' | 'config'>, Options {
  readonly assets: Pick<Assets, 'isConfigured' | 'status'>
}

export const consoleSettingsRoutes = ({
  reader,
  config,
  assets,
  ...options
}: ConsoleSettingsDeps): Route<Call>[] =>
  implement(consoleSettings, {
    async read(_params, { sharedUrl }: Call) {
      const settings = await config.get('settings', readSettings)
      const { assets: known, fetchedAt, problem } = assets.status()
      return {
        settings: {
          api_enabled: settings.api_enabled === 'true',
          automatic_updates: settings.automatic_updates === 'true',
          automatic_updates_stopped: settings.automatic_updates_stopped,
          bird_silence_s: Number(settings.bird_silence_s),
          change_control: {
            device_settings: settings.device_settings_alerts === 'true',
            flock_settings: settings.flock_settings_alerts === 'true',
          },
          ignore_lists: {
            annotations: settings.annotation_ignore_enabled === 'true',
            hostnames: settings.hostname_ignore_enabled === 'true',
            ips: settings.ip_ignore_enabled === 'true',
            src_ports: settings.src_port_ignore_enabled === 'true',
          },
          integrations: {
            assetinv: {
              assets: known,
              fetched: fetchedAt === undefined ? '' : std(fetchedAt),
              is_configured: assets.isConfigured,
              is_enabled: assets.isConfigured && settings.assetinv_enabled === 'true',
              problem,
            },
          },
          keys: options.keepKeys ? 'recoverable' : 'show-once',
          public_url: sharedUrl,
          tokens_domain: options.tokensDomain,
          tokens_url: options.tokensUrl,
          users: await countUsers(reader),
          version: VERSION,
          webhooks_enabled: settings.webhooks_enabled === 'true',
        },
      }
    },
  })
