// The providers that issue what some kinds plant: whether they are configured, and when they last reported.
import type { TokenProvider } from '@rookery/contract/records/token-provider.ts'
import { epoch, std } from '@rookery/kernel/time.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { providersOf, type TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import type { Static } from 'typebox'
import type { Query } from '../../db/query.ts'
import type { ProviderRegistry, ProviderStatus } from '../../flows/providers/registry.ts'
import { readFeeds, type FeedRow } from '../../stores/providers/feeds.store.ts'
import { countResources, type ResourceCounts } from '../../stores/providers/resources.store.ts'

type ProviderView = Static<typeof TokenProvider>

export interface ProviderViewDeps {
  readonly registry: Pick<ProviderRegistry, 'statuses'>
  /** Where a provider sends events to. */
  readonly feedUrl: (provider: string) => string
}

const kinds: readonly TokenDescriptor[] = descriptors

export async function providerViews(
  reader: Query,
  { registry, feedUrl }: ProviderViewDeps,
): Promise<ProviderView[]> {
  const feeds = new Map((await readFeeds(reader)).map((row): [string, FeedRow] => [row.provider, row]))
  const counts = await countResources(reader)
  return registry.statuses.map((status) => {
    const { provider, takesFeed } = status.descriptor
    return viewOf(status, {
      feed: feeds.get(provider),
      counts: counts.filter((count) => count.provider === provider),
      feedUrl: takesFeed ? feedUrl(provider) : '',
    })
  })
}

interface ProviderFacts {
  readonly feed: FeedRow | undefined
  readonly counts: readonly ResourceCounts[]
  readonly feedUrl: string
}

function viewOf(
  { descriptor: { provider, name }, isConfigured, missing }: ProviderStatus,
  { feed, counts, feedUrl }: ProviderFacts,
): ProviderView {
  const fedAt = feed?.fed_at ?? 0
  const countOf = (state: ResourceCounts['state']): number =>
    Number(counts.find((count) => count.state === state)?.resources ?? 0)
  return {
    provider,
    name,
    kinds: kinds.filter((kind) => providersOf(kind).includes(provider)).map(({ kind }) => kind),
    configured: isConfigured,
    missing: [...missing],
    feed_url: feedUrl,
    last_feed: fedAt === 0 ? null : epoch(fedAt),
    last_feed_std: fedAt === 0 ? '' : std(fedAt),
    error: feed?.last_error ?? '',
    tokens: countOf('active'),
    revoking: countOf('revoking'),
  }
}
