// The parts `api` and `link`: one HTTP listener for people, programs and Birds.
import type { Operation } from '@rookery/contract/operation.ts'
import type { Placement } from '@rookery/tokens/token.ts'
import { openLink, type LinkChannel } from '../channels/link/server.ts'
import type { Config } from '../config.ts'
import type { DataFolder } from '../data-folder.ts'
import { openAvailability } from '../db/availability.ts'
import { openReadiness } from '../db/readiness.ts'
import { openAssets } from '../flows/assets/assets.ts'
import { serveAuthorisation } from '../features/flock-chats/authorise.ts'
import { serveUpdates } from '../features/updates/serve.ts'
import { openImage, openSeed } from '../features/images/linked.ts'
import { serveUploads } from '../features/uploads/receive.ts'
import { storedFiles } from '../flows/files/stored-files.ts'
import { openRecorded } from '../features/flock-chats/recorded.ts'
import { fileForge } from '../flows/forge/forge-file.ts'
import { openForgeQueue } from '../flows/forge/forge-queue.ts'
import { chatProvider } from '../notify/chat-app.ts'
import { openLiveness, type Liveness } from '../flows/liveness/liveness.ts'
import type { LoginEndpoints } from '../flows/tokens/address.ts'
import { feedUrl } from '../flows/providers/feed-address.ts'
import { provisioner } from '../flows/providers/provision.ts'
import { tokenCreator } from '../flows/tokens/create.ts'
import { tokenBatches } from '../flows/tokens/token-batch.ts'
import { uploadStore } from '../flows/files/uploads.ts'
import { refusedConnections } from '../flows/refused-connections.ts'
import { unknownKeysWatch } from '../flows/unknown-keys.ts'
import { factoryAllowance } from '../flows/tokens/factory-allowance.ts'
import { openSettingsWatch } from '../flows/settings-change/watch.ts'
import { openAuthenticate } from '../http/authenticate.ts'
import type { AuditedChangeDeps } from '../http/audited-change.ts'
import { openBodyBudget } from '../http/body/budget.ts'
import { serveDocs } from '../http/docs/docs.ts'
import { serveHealth } from '../http/health.ts'
import { creationWarnings } from '../views/tokens/creation-warnings.ts'
import { mount, type MountDeps } from '../http/mount.ts'
import { openReadPerson } from '../http/person.ts'
import { PAGE_FOLDER, readPageFiles } from '../http/page/page-files.ts'
import { openSignInRateLimit } from '../http/sign-in-rate-limit.ts'
import { serveSignedLinks } from '../http/signed-link.ts'
import { openServer, type OpenedServer } from '../http/server.ts'
import { hostPort } from '../net/host-port.ts'
import { baseAddress, listeningAt } from '../net/listening.ts'
import { parseRanges } from '../net/ranges.ts'
import { isUnspecified, localAddress, printedAddress, printedUrl, sentUrl } from '../net/reachable-address.ts'
import type { OpenContext } from '../open-context.ts'
import type { RouteDeps } from '../route-deps.ts'
import { systemClock } from '../world/system.ts'
import { featureRoutes } from '../routes.gen.ts'
import { examineHouse } from '../maintenance/examine-house.ts'
import { httpsUrlFor, serveConsoleHttps, signInUrl, type ConsoleHttps } from './console-https.ts'
import type { Flows } from './flows.ts'
import type { Part } from './part.ts'
import { hostsOf } from './own-hosts.ts'
import { connectionsPerSource, tokenOrigin } from './tokens.ts'

const GRACE_MS = 1_000

export interface HttpServerDeps {
  readonly base: OpenContext
  readonly config: Config
  readonly folder: DataFolder
  readonly flows: Flows
  readonly parts: readonly Part[]
  /** Base address of token URLs. */
  readonly tokensUrl: string
  /** What artefacts name besides it. */
  readonly placement: Placement
  readonly loginEndpoints: LoginEndpoints
  readonly checkAnswer: ((operation: Operation, answer: object) => void) | undefined
  readonly opened: AsyncDisposableStack
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
    ...{ log, world, trustedProxies, outage },
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

interface MountedServer
  extends Pick<OpenedServer, 'server' | 'methods' | 'admission'>, Pick<MountDeps, 'availability'> {
  readonly httpsUrl: RouteDeps['httpsUrl']
  readonly consoleUrl: MountDeps['consoleUrl']
}

function mountApi(
  { server, methods, admission, availability, httpsUrl, consoleUrl }: MountedServer,
  { base, config, folder, flows, tokensUrl, placement, loginEndpoints, checkAnswer, opened }: HttpServerDeps,
  link: LinkChannel | undefined,
): void {
  const assets = openAssets(base, {
    url: config.ROOKERY_ASSETINV_URL,
    token: config.ROOKERY_ASSETINV_TOKEN,
  })
  opened.defer(assets.stop)
  const origin = { ...tokenOrigin(config, tokensUrl), ...loginEndpoints }
  const queue = openForgeQueue(base.world)
  opened.defer(queue.stop)
  const uploading = { forgeFile: fileForge(base, queue, placement), storeUploads: uploadStore(base) }
  const { registry, wake } = flows.providers
  const feedBase = origin.httpsUrl ?? origin.url
  const providers = { registry, feedUrl: (provider: string) => feedUrl(base.vault, feedBase, provider) }
  const creating = provisioner({ ...base, ...providers, wakeReconciler: wake })
  const targets = { ownHosts: hostsOf(config, tokensUrl) }
  const creator = tokenCreator(
    { ...base, ...uploading, ...targets, provisioner: creating, warmForge: queue.warm },
    origin,
  )
  const deps: RouteDeps = {
    ...base,
    assets,
    examineHouse: () => examineHouse(base, config, folder),
    signInRateLimit: openSignInRateLimit(base.world.clock),
    ...uploading,
    ...targets,
    wakeHousekeeping: flows.wakeHousekeeping,
    wakeUpdates: flows.wakeUpdates,
    wakeProviders: wake,
    tokensUrl: origin.url,
    httpsUrl,
    tokensDomain: origin.domain,
    plant: creator.create,
    batches: tokenBatches(base, creator),
    providers,
    wireguard: placement.wireguard,
    warningsOf: creationWarnings(base, origin.domain, providers),
    factoryAllowance: factoryAllowance(base, {
      tokensPerSecond: Number(config.ROOKERY_FACTORY_TOKENS_PER_SECOND),
      tokens: Number(config.ROOKERY_FACTORY_TOKENS),
    }),
    keepKeys: config.ROOKERY_KEYS === 'recoverable',
    alerts: { ...flows.alerts, probe: flows.dispatcher.probe, wake: flows.dispatcher.wake },
    chatProvider: () => chatProvider(config),
    wakeLinks: () => link?.wake(),
    imageFolder: folder.images,
  }
  const raiseUnknownKeys = unknownKeysWatch({ ...base, ...flows.raised })
  const authenticate = openAuthenticate(base, {
    callsPerSecond: Number(config.ROOKERY_CALLS_PER_SECOND),
    callsBurst: Number(config.ROOKERY_CALLS_BURST),
    onGuessing: (address, count) => void raiseUnknownKeys(address, count),
  })
  const auditedChange: AuditedChangeDeps = {
    ...base,
    names: flows.raised.raising.names,
    watch: openSettingsWatch({ raising: flows.raised.raising, clock: base.world.clock }),
    onRaised: flows.raised.onRaised,
  }
  const publicUrl = config.ROOKERY_PUBLIC_URL || undefined
  const routes = featureRoutes.flatMap((routesOf) => routesOf(deps))
  const bodies = openBodyBudget(base.world.clock)
  mount(server, routes, {
    authenticate,
    readPerson: openReadPerson(base),
    auditedChange,
    bodies,
    methods,
    admission,
    availability,
    publicUrl,
    consoleUrl,
    ...(checkAnswer && { checkAnswer }),
  })
  const change = openRecorded(auditedChange)
  serveUpdates(server, base)
  serveUploads(server, {
    ...base,
    storeFile: storedFiles({ ...base, maxBytes: Number(config.ROOKERY_FILES_BYTES) }),
    wakeLinks: deps.wakeLinks,
  })
  serveSignedLinks(server, base, { image: openImage(folder.images), seed: openSeed })
  serveAuthorisation(server, { ...base, chatProvider: deps.chatProvider, change })
}
