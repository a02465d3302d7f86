// Requests of providers to the addresses of their feeds, on the token host: read, stored, then answered.
import type { IncomingMessage } from 'node:http'
import { byteCollector } from '@rookery/kernel/byte-collector.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { HttpAnswer } from '@rookery/tokens/channels/http/visit.ts'
import type { FeedAnswer, FeedReport } from '@rookery/tokens/provider.ts'
import type { AppContext } from '../../app-context.ts'
import type { Ingest } from '../../flows/ingest/ingest.ts'
import { feedUrl, providerOfPath } from '../../flows/providers/feed-address.ts'
import { storeReport } from '../../flows/providers/feed-batches.ts'
import type { ProviderRegistry } from '../../flows/providers/registry.ts'

/** Undefined for a request to any other address. */
export type AnswerFeed = (request: IncomingMessage) => Promise<HttpAnswer> | undefined

export interface ProviderFeedDeps extends Pick<AppContext, 'vault' | 'world' | 'log'> {
  readonly registry: Pick<ProviderRegistry, 'client' | 'statusOf'>
  readonly ingest: Pick<Ingest, 'fromProvider'>
  /** Base address of token URLs. */
  readonly tokensUrl: () => string
}

/** The body of a report of a provider. */
const BODY_BYTES = limit('provider_feed_body_bytes', 1024 * 1024)
/** Reports of providers that are read at one time. */
const REQUESTS = limit('provider_feed_requests', 16)
/** Who reports expects an answer within two seconds; what is committed later is reported again, and known. */
const ANSWER_WITHIN_MS = 1_800

export function providerFeed({
  vault,
  world: { clock },
  log,
  registry,
  ingest,
  tokensUrl,
}: ProviderFeedDeps): AnswerFeed {
  let open = 0

  async function answer(request: IncomingMessage, provider: string): Promise<HttpAnswer> {
    if (request.method !== 'POST') return refusal(405, 'POST events to this address.', { Allow: 'POST' })
    if (open >= REQUESTS.max) {
      REQUESTS.hit()
      return refusal(503, 'Too many requests at once.', { 'Retry-After': '1' })
    }
    open++
    try {
      return await take(request, provider)
    } catch (error) {
      return refusalOf(error, provider)
    } finally {
      open--
    }
  }

  async function take(request: IncomingMessage, provider: string): Promise<HttpAnswer> {
    const body = await wholeBody(request)
    const receivedAt = clock.now()
    const due = Promise.withResolvers<never>()
    const cancel = clock.after(ANSWER_WITHIN_MS, () =>
      due.reject(new Fault('unavailable', 'The events are not stored yet.', { retryAfterS: 5 })),
    )
    const storing = store(request, { provider, body, receivedAt })
    // After the time limit nobody waits for it.
    storing.catch(() => undefined)
    const report = await Promise.race([storing, due.promise]).finally(cancel)
    return report.answer ?? STORED
  }

  async function store(
    request: IncomingMessage,
    { provider, body, receivedAt }: { provider: string; body: Buffer; receivedAt: number },
  ): Promise<FeedReport> {
    const client = await registry.client(provider)
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value ?? '')]),
    )
    const url = feedUrl(vault, tokensUrl(), provider)
    const report = await client.ingest?.({ headers, body, receivedAt, feedUrl: url })
    if (!report) throw new Fault('not-found', `The provider ${provider} sends no events here.`)
    const isHeartbeat = registry.statusOf(provider)?.descriptor.heartbeat === 'feed'
    await storeReport(ingest, {
      provider,
      receivedAt,
      events: report.events,
      feed: isHeartbeat ? { fed_at: receivedAt, silence_raised_at: 0, last_error: '' } : {},
    })
    return report
  }

  function refusalOf(error: unknown, provider: string): HttpAnswer {
    if (!(error instanceof Fault)) {
      log.error({ err: error, provider }, 'a request to the feed of a provider failed')
      return refusal(500, 'The request could not be read.')
    }
    log.warn({ provider, reason: error.message }, 'a request to the feed of a provider was refused')
    const wait = error.retryAfterS === undefined ? {} : { 'Retry-After': String(error.retryAfterS) }
    return refusal(STATUS[error.code] ?? 503, error.message, wait)
  }

  return (request) => {
    const provider = providerOfPath(vault, request.url ?? '')
    return provider === undefined || !registry.statusOf(provider)?.descriptor.takesFeed
      ? undefined
      : answer(request, provider)
  }
}

const STATUS: Partial<Record<Fault['code'], number>> = {
  'bad-input': 400,
  unauthenticated: 401,
  'not-found': 404,
  'too-large': 413,
}

const json = (
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer & FeedAnswer => ({
  status,
  headers: { ...headers, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify(value),
})

const STORED = json(200, {})

const refusal = (status: number, error: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer =>
  json(status, { error }, headers)

/** What is longer is refused, and discarded without keeping it. */
function wholeBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = byteCollector()
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= BODY_BYTES.max) return body.add(chunk)
      BODY_BYTES.hit()
      reject(new Fault('too-large', `A request to a feed has at most ${BODY_BYTES.max} bytes.`))
    })
    request.on('end', () => resolve(body.bytes()))
    const cut = (): void => reject(new Fault('bad-input', 'The request ended before its body.'))
    request.on('close', cut)
    request.on('error', () => undefined)
    // It waited its turn meanwhile, and tells of its end no more.
    if (request.destroyed) cut()
  })
}
