// What keeps the uses of a new token from coming in where its provider sends them.
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import { providerNeeded } from '@rookery/tokens/token.ts'
import type { FeedRow } from '../../stores/providers/feeds.store.ts'
import type { ProviderViewDeps } from './providers.ts'

/** A sentence while nothing was ever sent to the feed that the token needs. */
export function feedWarnings(
  feeds: readonly Pick<FeedRow, 'provider' | 'fed_at'>[],
  { kind, settings }: { readonly kind: string; readonly settings: TokenSettings },
  { registry, feedUrl }: ProviderViewDeps,
): string[] {
  const definition = kinds[kind]
  const provider = definition && providerNeeded(definition, settings)
  const descriptor = registry.statuses.find((it) => it.descriptor.provider === provider)?.descriptor
  if (provider === undefined || descriptor?.heartbeat !== 'feed') return []
  if (feeds.some((feed) => feed.provider === provider && feed.fed_at > 0)) return []
  return [
    `${descriptor.name} has sent nothing yet: uses of the token come in once it posts to ${feedUrl(provider)}.`,
  ]
}
