// The composition root: reads like a table of contents, and can build a part of the service alone.
import type { AddressInfo, Server } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Route } from '@rookery/contract/implement.ts'
import type { Operation } from '@rookery/contract/operation.ts'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import type { World } from '@rookery/kernel/world.ts'
import { createEnrolment } from './channels/link/enrol.ts'
import { openLink, type LinkChannel } from './channels/link/server.ts'
import { openTokenServer, type TokenChannel } from './channels/http/token-server.ts'
import { hostPort, type Config } from './config.ts'
import { openDataFolder, type DataFolder } from './data-folder.ts'
import { takeLock } from './db/lock.ts'
import { birdRecords } from './birds/records.ts'
import { birdQueryRoutes } from './features/bird-queries/routes.ts'
import { incidentActionRoutes } from './features/incident-actions/routes.ts'
import { incidentQueryRoutes } from './features/incident-queries/routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { consoleIgnoreListRoutes } from './features/console-ignore-lists/routes.ts'
import { flockLimitRoutes } from './features/flock-limits/routes.ts'
import { flockRoutes } from './features/flocks/routes.ts'
import { tokenFactoryRoutes } from './features/token-factory/routes.ts'
import { flockNoteRoutes } from './features/flock-notes/routes.ts'
import type { Alerts } from './features/flock-webhooks/model.ts'
import { flockWebhookRoutes } from './features/flock-webhooks/routes.ts'
import { registrationRoutes } from './features/registration/routes.ts'
import { pingRoutes } from './features/ping/routes.ts'
import { ensureFirstKey } from './first-key.ts'
import { openEnrichment } from './flows/enrich.ts'
import { openLiveness, type Liveness } from './flows/liveness.ts'
import { openPlant, type Plant } from './flows/plant/plant.ts'
import { openIngest, type Ingest } from './flows/ingest/ingest.ts'
import type { NewIncident } from './flows/raise/plan.ts'
import { openSurge } from './flows/raise/surge.ts'
import { openAuthenticate } from './http/authenticate.ts'
import type { Call } from './http/call.ts'
import { serveDocs } from './http/docs.ts'
import { serveHealth } from './http/health.ts'
import { mount } from './http/mount.ts'
import { openServer } from './http/server.ts'
import { openIncidents } from './incidents/of-bird.ts'
import { openMetrics } from './metrics.ts'
import { openDispatcher, type Dispatcher } from './notify/dispatcher.ts'
import { openOutbox } from './notify/outbox.ts'
import { parseRanges } from './net/ranges.ts'
import { incidentNames } from './secrets/incident-name.ts'
import { openBase, type OpenBase } from './open-base.ts'

/** The parts that `rookery serve --parts` may name. */
export const PARTS = ['api', 'tokens', 'link'] as const
export type Part = (typeof PARTS)[number]

export interface Building {
  readonly config: Config
  readonly world: World
  readonly log: Logger
  readonly parts?: readonly Part[]
  readonly checkAnswer?: (operation: Operation, answer: object) => void
  /** Alerts a minute to one receiver before the rest becomes a digest (60), and how long one may take (10 s). */
  readonly alerting?: { readonly perMinute?: number; readonly timeoutMs?: number }
}

export interface Console {
  readonly folder: DataFolder
  readonly base: OpenBase
  readonly ingest: Ingest
  readonly alerts: Dispatcher
  /** Undefined where the links are not served. */
  readonly liveness: Liveness | undefined
  /** Base addresses, without a trailing slash; undefined for a part that is not served. */
  readonly apiUrl: string | undefined
  readonly tokensUrl: string | undefined
  /** Where Birds on this machine call. */
  readonly linkUrl: string | undefined
  /** An enrolment code that brings one Bird into the default Flock, within ten minutes. */
  enrolLocalBird(): Promise<string>
  /** Where the first admin key was written, if this start made one. */
  readonly firstKeyFile: string | undefined
  stop(): Promise<void>
}

const DAY_MS = 86_400_000
const ENROLMENT_MS = 600_000

/** Opens the console with the given parts; everything it opened is closed again when a step fails. */
export async function openConsole({
  config,
  world,
  log,
  parts = PARTS,
  checkAnswer,
  alerting = {},
}: Building): Promise<Console> {
  const folder = openDataFolder(config.ROOKERY_DATA_DIR)
  const closers: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    if (config.ROOKERY_DATABASE_URL === '') closers.push(takeLock(folder.lock))
    const base = await openBase(config, folder, world, log)
    closers.push(base.close)
    const given = config.ROOKERY_BOOTSTRAP_KEY || undefined
    const firstKeyFile = await ensureFirstKey(
      base,
      given,
      folder.adminKey,
      config.ROOKERY_KEYS === 'recoverable',
    )

    let channel: TokenChannel | undefined
    const metrics = openMetrics({ heldTouches: () => channel?.held() ?? 0, diskFull: base.isFull })
    const enrichment = openEnrichment(base)
    closers.push(enrichment.stop)
    let apiUrl: string | undefined
    const consoleUrl = (): string =>
      apiUrl ?? (config.ROOKERY_PUBLIC_URL || `http://${config.ROOKERY_LISTEN}`)
    const alerts = { perMinute: 60, timeoutMs: 10_000, consoleUrl, ...alerting }
    const dispatcher = openDispatcher({ ...base, ...alerts })
    closers.push(dispatcher.stop)
    const raised = {
      onRaised(created: readonly NewIncident[]): void {
        metrics.raised(created.length)
        dispatcher.wake()
        enrichment.enrich(created)
      },
      raising: {
        names: incidentNames(base.vault),
        surge: openSurge(),
        quietMs: DAY_MS,
        announce: openOutbox(base).announce,
      },
    }
    const ingest = openIngest({ ...base, ...raised, onIgnored: metrics.ignored })

    let tokensUrl: string | undefined
    if (parts.includes('tokens')) {
      const { host, port } = hostPort(config.ROOKERY_TOKENS_LISTEN)
      channel = openTokenServer({
        world,
        log,
        vault: base.vault,
        trusted: parseRanges(config.ROOKERY_TRUSTED_PROXIES, 'ROOKERY_TRUSTED_PROXIES'),
        advertisedPort: portOf(config.ROOKERY_TOKENS_URL),
        submit: ingest.fromToken,
      })
      await listening(channel.server, host, port)
      closers.push(channel.stop)
      tokensUrl = config.ROOKERY_TOKENS_URL || urlOf(host, channel.server.address())
    }

    const plant = openPlant(base, {
      // Without the part `tokens` here, another process serves at the same option.
      url: (tokensUrl ?? (config.ROOKERY_TOKENS_URL || `http://${config.ROOKERY_TOKENS_LISTEN}`)).replace(
        /\/+$/,
        '',
      ),
      domain: config.ROOKERY_TOKENS_DOMAIN,
    })

    let link: LinkChannel | undefined
    let liveness: Liveness | undefined
    if (parts.includes('link')) {
      const judge = (liveness = openLiveness({ ...base, ...raised }))
      closers.push(judge.stop)
      link = await openLink({
        ...base,
        ingest,
        trusted: parseRanges(config.ROOKERY_TRUSTED_PROXIES, 'ROOKERY_TRUSTED_PROXIES'),
        returned: () => void judge.judge(),
      })
    }

    let linkUrl: string | undefined
    if (parts.includes('api') || link) {
      const trustedProxies = config.ROOKERY_TRUSTED_PROXIES.split(',').filter(Boolean)
      const server = openServer({ log, random: world.random, trustedProxies })
      serveHealth(server, base, metrics, config.ROOKERY_METRICS_TOKEN)
      if (parts.includes('api')) {
        serveDocs(server)
        mount(
          server,
          routes({
            ...base,
            told: () => link?.kick(),
            plant,
            keepKeys: config.ROOKERY_KEYS === 'recoverable',
            alerts: { ...alerts, probe: dispatcher.probe },
          }),
          {
            authenticate: openAuthenticate(base),
            publicUrl: config.ROOKERY_PUBLIC_URL || undefined,
            ...(checkAnswer && { checkAnswer }),
          },
        )
      }
      link?.attach(server.server)
      const url = await listen(server, config)
      closers.push(() => server.close())
      if (link) closers.push(link.stop)
      if (parts.includes('api')) apiUrl = config.ROOKERY_PUBLIC_URL || url
      if (link) linkUrl = url
    }
    dispatcher.start()
    return {
      folder,
      base,
      ingest,
      alerts: dispatcher,
      liveness,
      apiUrl,
      tokensUrl,
      linkUrl,
      enrolLocalBird: () =>
        createEnrolment(base, { flockId: DEFAULT_FLOCK, uses: 1, lifetimeMs: ENROLMENT_MS }),
      firstKeyFile,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Every endpoint group, in the order of the specification. */
function routes(
  base: OpenBase & {
    readonly plant: Plant
    readonly keepKeys: boolean
    readonly alerts: Alerts
    /** Links have something to hear. */
    readonly told: () => void
  },
): Route<Call>[] {
  return [
    ...pingRoutes(),
    ...consoleIgnoreListRoutes(base),
    ...registrationRoutes(base, base.told),
    ...incidentQueryRoutes(base, birdRecords(base)),
    ...incidentActionRoutes(base),
    ...birdQueryRoutes(base, openIncidents(base)),
    ...tokenFactoryRoutes(base),
    ...flockNoteRoutes(base),
    ...apiKeyRoutes(base),
    ...flockRoutes(base),
    ...flockLimitRoutes(base),
    ...flockWebhookRoutes(base),
  ]
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = hostPort(config.ROOKERY_LISTEN)
  await server.listen({ host, port })
  return urlOf(host, server.server.address())
}

const urlOf = (host: string, bound: ReturnType<Server['address']>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${(bound as AddressInfo).port}`

function listening(server: TokenChannel['server'], host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function portOf(url: string): number | undefined {
  if (url === '') return undefined
  const { port, protocol } = new URL(url)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}
