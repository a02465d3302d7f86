// Events that providers report of what they issued: stored with the place where the next poll goes on, in one transaction.
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { bounded } from '@rookery/kernel/bound.ts'
import type { EventFields } from '@rookery/kernel/touch.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { ProviderEvent } from '@rookery/tokens/provider.ts'
import type { Tx } from '../../../db/query.ts'
import { changeFeed } from '../../../stores/providers/feeds.store.ts'
import { noteUse, tokensOfResources } from '../../../stores/providers/resources.store.ts'
import { takeUnseen } from '../../../stores/providers/seen.store.ts'
import type { FirstIncidents } from '../../../stores/tokens/first-incidents.store.ts'
import { takingKey } from '../../raise/arrival.ts'
import { joining, loadFirsts } from '../filters/first-only.ts'
import type { TouchFilter } from '../filters/filter.ts'
import type { ProviderBatch } from '../ingest-item.ts'
import type { QuietTouch } from '../filters/quiet-touches.ts'
import { tokenArrival, type TokenArrival } from './arrival.ts'
import type { CachedToken, TokenBatch } from './token-cache.ts'

/** A use of what the provider issued reaches the provider by HTTPS. */
const DST_PORT = 443
const SECOND_MS = 1_000

export interface ProviderFilters {
  readonly filter: Pick<TouchFilter, 'judge'>
  readonly firsts: FirstIncidents
}

export interface ProviderIntake {
  /** In the order of the batches; each event is stored once, whatever reports it again. */
  readonly arrivals: readonly TokenArrival[]
  /** Events of sources that the token takes as quiet. */
  readonly quiet: readonly QuietTouch[]
}

export async function takeProviderBatches(
  tx: Tx,
  known: TokenBatch,
  batches: readonly ProviderBatch[],
  filters: ProviderFilters,
): Promise<ProviderIntake> {
  const arrivals: TokenArrival[] = []
  const quiet: QuietTouch[] = []
  for (const batch of batches) {
    const taken = await takeBatch(tx, known, batch, filters)
    arrivals.push(...taken.arrivals)
    quiet.push(...taken.quiet)
  }
  return { arrivals, quiet }
}

async function takeBatch(
  tx: Tx,
  known: TokenBatch,
  { provider, events: reported, receivedAt, feed }: ProviderBatch,
  { filter, firsts }: ProviderFilters,
): Promise<ProviderIntake> {
  await changeFeed(tx, provider, feed)
  const events = reported.filter(namesResource).map((event) => ({ ...event, at: timeOf(event, receivedAt) }))
  if (events.length === 0) return { arrivals: [], quiet: [] }
  const tokenIds = await tokensOfResources(tx, provider, [...new Set(events.map((it) => it.remoteId))])
  const ours = events.filter(({ remoteId }) => tokenIds.has(remoteId))
  const tokens = await known.load(tokenIds.values())
  const unseen = new Set(await takeUnseen(tx, provider, [...new Set(ours.map(seenIdOf))], receivedAt))
  await loadFirsts(firsts, tokens)
  const arrivals: TokenArrival[] = []
  const quiet: QuietTouch[] = []
  for (const event of ours) {
    const seenId = seenIdOf(event)
    // A batch may have an event twice.
    if (!unseen.delete(seenId)) continue
    const tokenId = tokenIds.get(event.remoteId) ?? ''
    await noteUse(tx, tokenId, event.at)
    const token = tokens.get(tokenId)
    if (token?.enabled !== 1) continue
    const arrival = joining(arrivalOf(event, token, receivedAt), token, firsts)
    const visitor = `provider|${seenId}`
    const entry = token.quietSources.entryFor(arrival.touch.srcHost)
    if (entry !== undefined) {
      const { fields } = arrival.touch
      const reason = `quiet_sources has ${entry}`
      quiet.push({ tokenNumber: token.number, visitor, receivedAt, reason, fields })
    } else if (filter.judge(arrival, () => ({ visitor })) === 'raised') {
      if (token.first_only === 1) firsts.mark(token.number, takingKey(arrival))
      arrivals.push(arrival)
    }
  }
  return { arrivals, quiet }
}

/** PostgreSQL refuses a text with NUL, also as the value of a query: one such event would hold up the feed for good. */
const namesResource = ({ remoteId }: ProviderEvent): boolean => remoteId !== '' && !remoteId.includes('\0')

/** Whole milliseconds, never in the future: a provider's clock may be ahead of ours. */
const timeOf = ({ at }: ProviderEvent, receivedAt: number): number =>
  Number.isNaN(at) ? receivedAt : Math.max(0, Math.min(Math.round(at), receivedAt))

/** Of one length, whatever a provider calls its events. */
const seenIdOf = ({ id }: ProviderEvent): string => createHash('sha256').update(id).digest('base64url')

function arrivalOf(event: ProviderEvent, token: CachedToken, receivedAt: number): TokenArrival {
  const { at, srcHost: given, eventName, fields } = event
  const srcHost = isIP(given) === 0 ? '' : given
  const all: EventFields = {
    decoytoken: token.token_id,
    type: token.kind,
    dst_port: DST_PORT,
    src_host: srcHost,
    event_name: eventName,
    headers: {},
    ...fields,
    delay_s: Math.round((receivedAt - at) / SECOND_MS),
    ...(srcHost !== given && { src_host_left_out: given }),
  }
  return tokenArrival(token, kinds[token.kind], {
    tokenId: token.token_id,
    receivedAt,
    at,
    srcHost,
    srcPort: 0,
    dstHost: '',
    dstPort: DST_PORT,
    fields: bounded(all),
  })
}
