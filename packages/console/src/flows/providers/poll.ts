// Asks a provider for uses of what it issued, again and again, while any token needs it.
import { limit } from '@rookery/kernel/limit.ts'
import type { WorkerLoop } from '@rookery/kernel/worker-loop.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import type { ProviderDescriptor } from '@rookery/tokens/provider-descriptor.ts'
import { reasonText } from '@rookery/tokens/provider-call.ts'
import type { WatchedResource } from '@rookery/tokens/provider.ts'
import { task } from '../../background/task.ts'
import type { AppContext } from '../../app-context.ts'
import { changeFeed, readFeed } from '../../stores/providers/feeds.store.ts'
import { activeResources, type ResourceRow } from '../../stores/providers/resources.store.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { seedOf } from '../../secrets/token-seed.ts'
import { storeReport } from './feed-batches.ts'
import type { ProviderRegistry } from './registry.ts'

export interface PollDeps extends Pick<
  AppContext,
  'reader' | 'writer' | 'vault' | 'world' | 'log' | 'background'
> {
  readonly registry: Pick<ProviderRegistry, 'client'>
  readonly ingest: Pick<Ingest, 'fromProvider'>
  /** Whether this console is the one that asks. */
  readonly isHeld: () => boolean
}

/** Tokens of a provider that one poll asks about. */
const WATCHED = limit('resources_of_a_provider_poll', 10_000)
const MAX_WAIT_MS = 600_000
/** Another console may have created the first token. */
const LOOK_MS = 30_000
const TASK = task('provider_polls', LOOK_MS, 'Asks the providers of tokens for uses, at the pace of each')

export function openPoll(
  { reader, writer, vault, world: { clock }, log, background, registry, ingest, isHeld }: PollDeps,
  { provider, pollMs = MAX_WAIT_MS, heartbeat }: ProviderDescriptor,
): WorkerLoop {
  let failures = 0

  const watched = (row: ResourceRow): WatchedResource => ({
    tokenId: row.token_id,
    kind: row.kind,
    remoteId: row.remote_id,
    createdAt: row.created_at,
    usedAt: row.used_at,
    derive: deriver(row.kind, seedOf(vault, row.token_id)),
  })

  async function poll(): Promise<number | undefined> {
    if (!isHeld()) return undefined
    const rows = await activeResources(reader, provider, WATCHED.max)
    if (rows.length === 0) return clock.now() + LOOK_MS
    if (rows.length === WATCHED.max) WATCHED.hit()
    const client = await registry.client(provider)
    const known = await readFeed(reader, provider)
    const report = await client.poll?.({ position: known?.position ?? '', resources: rows.map(watched) })
    if (!report || !isHeld()) return undefined
    const receivedAt = clock.now()
    const recovered = known && known.failing_since > 0 ? { failing_since: 0, last_error: '' } : {}
    const fed = heartbeat === 'poll' ? { fed_at: receivedAt, silence_raised_at: 0 } : {}
    await storeReport(ingest, {
      provider,
      receivedAt,
      events: report.events,
      feed: { position: report.position, ...recovered, ...fed },
    })
    failures = 0
    return clock.now() + pollMs
  }

  async function noteFailure(error: unknown): Promise<void> {
    const last_error = reasonText(error instanceof Error ? error.message : '')
    const known = await readFeed(reader, provider)
    const failing_since = known && known.failing_since > 0 ? known.failing_since : clock.now()
    await writer.write((tx) => changeFeed(tx, provider, { failing_since, last_error }))
  }

  async function run(): Promise<number | undefined> {
    try {
      return await poll()
    } catch (error) {
      const backoff = Math.min(MAX_WAIT_MS, pollMs * 2 ** Math.min(failures++, 10))
      const asked = error instanceof Fault ? (error.retryAfterS ?? 0) * 1_000 : 0
      const wait = Math.max(backoff, asked)
      if (failures === 1 || wait === MAX_WAIT_MS)
        log.warn(
          { err: error, provider },
          `the provider's log could not be read; retrying in ${wait / 1_000} s`,
        )
      await noteFailure(error)
      return clock.now() + wait
    }
  }

  return background.loop(TASK, {
    clock,
    run,
    onError(error) {
      log.warn({ err: error, provider }, "the provider's feed could not be examined; retrying in 30 s")
      return LOOK_MS
    },
  })
}
