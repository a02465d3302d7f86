// The parts `api` and `link`: one HTTP listener for people, programs and Birds.
import { openLink, type LinkChannel } from '../channels/link/server.ts'
import { openAvailability } from '../db/availability.ts'
import { openReadiness } from '../db/readiness.ts'
import { openLiveness, type Liveness } from '../flows/liveness/liveness.ts'
import { refusedConnections } from '../flows/refused-connections.ts'
import { serveDocs } from '../http/docs/docs.ts'
import { serveHealth } from '../http/health.ts'
import { PAGE_FOLDER, readPageFiles } from '../http/page/page-files.ts'
import { openServer } from '../http/server.ts'
import { hostPort } from '../addresses/host-port.ts'
import { baseAddress, listeningAt } from '../addresses/listening.ts'
import { parseRanges } from '../addresses/ranges.ts'
import {
  isUnspecified,
  localAddress,
  printedAddress,
  printedUrl,
  sentUrl,
} from '../addresses/reachable-address.ts'
import { systemClock } from '../world/system.ts'
import { httpsUrlFor, serveConsoleHttps, signInUrl, type ConsoleHttps } from './console-https.ts'
import type { Part } from './part.ts'
import { connectionsPerSource } from './tokens.ts'
import { mountApi, type ApiDeps } from './api.ts'

const GRACE_MS = 1_000

export interface HttpServerDeps extends ApiDeps {
  readonly parts: readonly Part[]
}

export interface HttpServer {
  readonly apiUrl: string | undefined
  /** Where the console is reached by its own HTTPS; undefined where it has none. */
  readonly consoleHttpsUrl: string | undefined
  /** Where a person may type a password. */
  readonly signInUrl: string | undefined
  readonly linkUrl: string | undefined
  readonly liveness: Liveness | undefined
}

export async function serveHttp(deps: HttpServerDeps): Promise<HttpServer> {
  const { base, config, flows, parts, opened } = deps
  const hasApi = parts.includes('api')
  const linking = parts.includes('link') ? await openLinking(deps) : undefined
  if (!hasApi && !linking)
    return {
      apiUrl: undefined,
      consoleHttpsUrl: undefined,
      signInUrl: undefined,
      linkUrl: undefined,
      liveness: undefined,
    }

  const trustedProxies = config.ROOKERY_TRUSTED_PROXIES.split(',')
    .map((range) => range.trim())
    .filter(Boolean)
  const { log, world, outage } = base
  const { server, admission, openTls, methods, usePage } = openServer({
    log,
    world,
    trustedProxies,
    outage,
    publicUrl: config.ROOKERY_PUBLIC_URL,
    perSource: connectionsPerSource(config),
    trusted: parseRanges(config.ROOKERY_TRUSTED_PROXIES, 'ROOKERY_TRUSTED_PROXIES'),
    onRefused: refusedConnections({ ...base, ...flows.raised }, 'api'),
  })
  let isStopping = false
  /** Known once it listens. */
  const served: { https?: ConsoleHttps | undefined; url?: string } = {}
  // In real time: a clock that jumps would take an answer that is on its way for one that is late.
  const readiness = openReadiness({ ...base, clock: systemClock })
  serveHealth(server, readiness, {
    metrics: flows.metrics,
    scrapeToken: config.ROOKERY_METRICS_TOKEN,
    isStopping: () => isStopping,
  })
  if (hasApi) {
    serveDocs(server)
    const page = readPageFiles(PAGE_FOLDER)
    if (page) usePage(page)
    const availability = openAvailability(base.engine, readiness, systemClock)
    const httpsUrl = (askedUrl: string) => httpsUrlFor(config, served.https, askedUrl)
    const consoleUrl = () => served.url ?? ''
    mountApi({ server, methods, admission, availability, httpsUrl, consoleUrl }, deps, linking?.link)
  }
  linking?.link.attach(server.server, admission)
  await server.ready()
  const at = await listeningAt(server.server, config.ROOKERY_LISTEN)
  opened.defer(() => {
    // Close idle and slow connections, so that they do not delay the stop.
    setTimeout(() => server.server.closeAllConnections(), GRACE_MS).unref()
    return server.close()
  })
  const https = (served.https = await serveConsoleHttps(base, config, openTls, linking?.link, opened))
  if (linking) opened.defer(linking.link.stop)
  // Of what is deferred, the last comes first: balancers send no more while the links end and open calls are answered.
  opened.defer(() => void (isStopping = true))
  if (hasApi) served.url = announceUrl(deps, at, https?.at)
  return {
    apiUrl: hasApi ? config.ROOKERY_PUBLIC_URL || printedUrl(at) : undefined,
    consoleHttpsUrl: https && `https://${printedAddress(https.at)}`,
    signInUrl: hasApi ? signInUrl(config, at, https?.at) : undefined,
    linkUrl: linking && baseAddress(localAddress(at)),
    liveness: linking?.liveness,
  }
}

/**
 * Answers the URL for Birds and scripts. Alerts name from now on the one for people: by HTTPS, where that is served, since
 * elsewhere than on the console's machine nobody signs in without it.
 */
function announceUrl({ base, config, flows }: HttpServerDeps, at: string, httpsAt?: string): string {
  const url = sentUrl(config.ROOKERY_PUBLIC_URL, at)
  const hasOwn = config.ROOKERY_PUBLIC_URL === '' && httpsAt !== undefined
  flows.setConsoleUrl(hasOwn ? sentUrl('', httpsAt).replace(/^http:/, 'https:') : url)
  if (config.ROOKERY_PUBLIC_URL !== '' || !isUnspecified(hostPort(at).host)) return url
  base.log.warn(
    { listen: config.ROOKERY_LISTEN, ...(url !== '' && { url }) },
    `ROOKERY_PUBLIC_URL is not set: alerts and printed commands name ${url === '' ? 'no address' : 'an address of this machine'}. Set it to the address under which people reach the console`,
  )
  return url
}

async function openLinking({
  base,
  config,
  flows,
}: HttpServerDeps): Promise<{ link: LinkChannel; liveness: Liveness }> {
  const liveness = openLiveness({ ...base, ...flows.raised })
  const link = await openLink({
    ...base,
    ingest: flows.ingest,
    trusted: parseRanges(config.ROOKERY_TRUSTED_PROXIES, 'ROOKERY_TRUSTED_PROXIES'),
    allowances: {
      eventsPerSecond: Number(config.ROOKERY_BIRD_EVENTS_PER_SECOND),
      handshakesPerSecond: Number(config.ROOKERY_LINK_HANDSHAKES_PER_SECOND),
      hellos: Number(config.ROOKERY_BIRD_HELLOS),
    },
    checkLiveness: () => void liveness.check(),
  })
  return { link, liveness }
}
