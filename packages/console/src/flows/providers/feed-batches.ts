// What a provider reports, handed to ingest in pieces that a transaction takes; the last one says where the next poll goes on.
import type { ProviderEvent } from '@rookery/tokens/provider.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { ProviderBatch } from '../ingest/ingest-item.ts'

const EVENTS_PER_BATCH = 200

/** Resolves after the last commit. */
export async function storeReport(
  { fromProvider }: Pick<Ingest, 'fromProvider'>,
  { events, feed, ...batch }: ProviderBatch,
): Promise<void> {
  let rest: readonly ProviderEvent[] = events
  while (rest.length > EVENTS_PER_BATCH) {
    await fromProvider({ ...batch, events: rest.slice(0, EVENTS_PER_BATCH), feed: {} })
    rest = rest.slice(EVENTS_PER_BATCH)
  }
  await fromProvider({ ...batch, events: rest, feed })
}
