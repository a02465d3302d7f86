// Routes without a key: health, readiness, metrics.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Readiness } from '../db/readiness.ts'
import { plainAddress } from '../addresses/ranges.ts'
import type { Metrics } from '../metrics.ts'
import { VERSION } from '../version.ts'
import { sendJson } from './json.ts'

interface HealthDeps {
  readonly metrics: Metrics
  /** The bearer that may read the metrics from elsewhere; empty for nobody. */
  readonly scrapeToken: string
  /** The console takes its leave: it still answers what came in, and wants nothing new. */
  readonly isStopping: () => boolean
}

export function serveHealth(
  server: FastifyInstance,
  readiness: Pick<Readiness, 'check'>,
  { metrics, scrapeToken, isStopping }: HealthDeps,
): void {
  server.get('/healthz', (_request, reply) => sendJson(reply, { status: 'ok', version: VERSION }))

  server.get('/readyz', async (_request, reply) => {
    const problem = isStopping() ? 'The console is stopping.' : await readiness.check()
    if (problem !== undefined) throw new Fault('unavailable', problem, { retryAfterS: 1 })
    return sendJson(reply, { status: 'ready' })
  })

  server.get('/metrics', async (request, reply) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    if (!isFromHere(request) && !(scrapeToken !== '' && sameText(token, scrapeToken))) {
      throw new Fault(
        'forbidden',
        'Metrics answer loopback under its own name (localhost, 127.0.0.1 or [::1]), or the bearer of ROOKERY_METRICS_TOKEN.',
      )
    }
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/** What proxies add to the requests that they forward. */
const PROXY_HEADERS = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
  'via',
]

/**
 * A request that a proxy on this machine forwards is not from here. nginx adds no header unless it is asked to, and names the
 * console as Host, but speaks HTTP/1.0 then. Nor is one from here of a page whose own name resolves to loopback (DNS
 * rebinding): its Host names that page.
 */
function isFromHere({ ip, headers, raw }: FastifyRequest): boolean {
  const address = plainAddress(ip)
  const isForwarded = raw.httpVersion === '1.0' || PROXY_HEADERS.some((name) => headers[name] !== undefined)
  return !isForwarded && isLoopbackHost(headers.host) && (address === '::1' || address.startsWith('127.'))
}

const isLoopbackHost = (host = ''): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(host)

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
