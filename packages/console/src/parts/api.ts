// The part `api`: what the routes of the features take is wired here, and mounted.
import type { FastifyRequest } from 'fastify'
import type { Operation } from '@rookery/contract/operation.ts'
import type { Placement } from '@rookery/tokens/token.ts'
import type { LinkChannel } from '../channels/link/server.ts'
import type { Config } from '../config/config.ts'
import type { DataFolder } from '../data-folder.ts'
import { openAssets } from '../flows/assets/assets.ts'
import { serveAuthorisation } from '../features/flock-chats/authorise.ts'
import { openSharedSources } from '../features/shared-sources/sources.ts'
import { serveTaxii } from '../features/shared-sources/taxii.ts'
import { serveUpdates } from '../features/updates/serve.ts'
import { openImage, openSeed } from '../features/images/linked.ts'
import { serveUploads } from '../features/uploads/receive.ts'
import { storedFiles } from '../flows/files/stored-files.ts'
import { openRecorded } from '../features/flock-chats/recorded.ts'
import { fileForge } from '../flows/forge/forge-file.ts'
import { openForgeQueue } from '../flows/forge/forge-queue.ts'
import { chatProvider } from '../notify/chat-app.ts'
import type { LoginEndpoints } from '../flows/tokens/address.ts'
import { feedUrl } from '../flows/providers/feed-address.ts'
import { provisioner } from '../flows/providers/provision.ts'
import { tokenCreator } from '../flows/tokens/create.ts'
import { tokenBatches } from '../flows/tokens/token-batch.ts'
import { uploadStore } from '../flows/files/uploads.ts'
import { unknownKeysWatch } from '../flows/unknown-keys.ts'
import { factoryAllowance } from '../flows/tokens/factory-allowance.ts'
import { openSettingsWatch } from '../flows/settings-change/watch.ts'
import { openAuthenticate } from '../http/authenticate.ts'
import type { AuditedChangeDeps } from '../http/audited-change.ts'
import { openBodyBudget } from '../http/body/budget.ts'
import { creationWarnings } from '../views/tokens/creation-warnings.ts'
import { mount, type MountDeps } from '../http/mount.ts'
import { openReadPerson } from '../http/person.ts'
import { openSignInRateLimit } from '../http/sign-in-rate-limit.ts'
import { serveSignedLinks } from '../http/signed-link.ts'
import type { OpenedServer } from '../http/server.ts'
import type { OpenContext } from '../open-context.ts'
import type { RouteDeps } from '../route-deps.ts'
import { featureRoutes } from '../routes.gen.ts'
import { examineHouse } from '../maintenance/examine-house.ts'
import type { Flows } from './flows.ts'
import { hostsOf } from './configured-hosts.ts'
import { tokenOrigin } from './tokens.ts'

export interface ApiDeps {
  readonly base: OpenContext
  readonly config: Config
  readonly folder: DataFolder
  readonly flows: Flows
  /** Base address of token URLs. */
  readonly tokensUrl: string
  /** What artefacts name besides it. */
  readonly placement: Placement
  readonly loginEndpoints: LoginEndpoints
  readonly checkAnswer: ((operation: Operation, answer: object) => void) | undefined
  readonly opened: AsyncDisposableStack
}

export interface MountedServer
  extends Pick<OpenedServer, 'server' | 'methods' | 'admission'>, Pick<MountDeps, 'availability'> {
  readonly httpsUrl: RouteDeps['httpsUrl']
  readonly consoleUrl: MountDeps['consoleUrl']
}

/** Mounts every operation and what is served besides. */
export function mountApi(
  { server, methods, admission, availability, httpsUrl, consoleUrl }: MountedServer,
  { base, config, folder, flows, tokensUrl, placement, loginEndpoints, checkAnswer, opened }: ApiDeps,
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
  const sharedSources = openSharedSources({ ...base, assets, ...targets })
  const deps: RouteDeps = {
    ...base,
    sharedSources,
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
    createToken: creator.create,
    batches: tokenBatches(base, creator),
    providers,
    wireguard: placement.wireguard,
    warningsOf: creationWarnings(base, origin.domain, providers),
    factoryAllowance: factoryAllowance(base, {
      tokensPerSecond: Number(config.ROOKERY_FACTORY_TOKENS_PER_SECOND),
      tokens: Number(config.ROOKERY_FACTORY_TOKENS),
    }),
    keepKeys: config.ROOKERY_KEYS === 'recoverable',
    notifier: { ...flows.notifier, probe: flows.dispatcher.probe, wake: flows.dispatcher.wake },
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
  const taxiiUrl = ({ protocol, host }: FastifyRequest) => publicUrl ?? `${protocol}://${host}`
  serveTaxii(server, { authenticate, vault: base.vault, sharedSources, baseUrl: taxiiUrl })
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
