// What keeps touches of a new token from coming in, for the answer of its creation.
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { AppContext } from '../../app-context.ts'
import { readChannels } from '../../stores/channels/store.ts'
import { readFeeds } from '../../stores/providers/feeds.store.ts'
import { tokenWarnings } from './channels.ts'
import { feedWarnings } from './feed-warnings.ts'
import type { ProviderViewDeps } from './providers.ts'

/** `customDomain` is undefined where the token has the console's own domain. No key if there is nothing to warn of. */
export type WarningsOf = (
  token: { readonly kind: string; readonly settings: TokenSettings },
  customDomain: string | undefined,
) => Promise<{ readonly warnings?: string[] }>

const READ_AGAIN_MS = 60_000

/** `zone` is that of token host names. */
export const creationWarnings =
  (
    { config, world: { clock } }: Pick<AppContext, 'config' | 'world'>,
    zone: string,
    providers: ProviderViewDeps,
  ): WarningsOf =>
  async ({ kind, settings }, customDomain) => {
    // Channels are reached without a change of the configuration.
    const period = Math.floor(clock.now() / READ_AGAIN_MS)
    const rows = await config.get(`token channels ${period}`, readChannels)
    const feeds = await config.get(`provider feeds ${period}`, readFeeds)
    const warnings = [
      ...tokenWarnings(rows, { kind, settings, customDomain, zone }),
      ...feedWarnings(feeds, { kind, settings }, providers),
    ]
    return warnings.length > 0 ? { warnings } : {}
  }
