// The composition root: reads like a table of contents, and can build a part of the service alone.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Route } from '@rookery/contract/implement.ts'
import type { Operation } from '@rookery/contract/operation.ts'
import type { World } from '@rookery/kernel/world.ts'
import { openTokenServer, type TokenChannel } from './channels/http/token-server.ts'
import { hostPort, type Config } from './config.ts'
import { openDataFolder, type DataFolder } from './data-folder.ts'
import { takeLock } from './db/lock.ts'
import { incidentActionRoutes } from './features/incident-actions/routes.ts'
import { incidentQueryRoutes } from './features/incident-queries/routes.ts'
import { flockNoteRoutes } from './features/flock-notes/routes.ts'
import { pingRoutes } from './features/ping/routes.ts'
import { ensureFirstKey } from './first-key.ts'
import { openEnrichment } from './flows/enrich.ts'
import { openIngest, type Ingest } from './flows/ingest/ingest.ts'
import { openSurge } from './flows/raise/surge.ts'
import { openAuthenticate } from './http/authenticate.ts'
import type { Call } from './http/call.ts'
import { serveDocs } from './http/docs.ts'
import { serveHealth } from './http/health.ts'
import { mount } from './http/mount.ts'
import { openServer } from './http/server.ts'
import { openMetrics } from './metrics.ts'
import { parseRanges } from './net/ranges.ts'
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
}

export interface Console {
  readonly folder: DataFolder
  readonly base: OpenBase
  readonly ingest: Ingest
  /** Base addresses, without a trailing slash; undefined for a part that is not served. */
  readonly apiUrl: string | undefined
  readonly tokensUrl: string | undefined
  /** Where the first admin key was written, if this start made one. */
  readonly firstKeyFile: string | undefined
  stop(): Promise<void>
}

const DAY_MS = 86_400_000

/** Opens the console with the given parts; everything it opened is closed again when a step fails. */
export async function openConsole({
  config,
  world,
  log,
  parts = PARTS,
  checkAnswer,
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
    const ingest = openIngest({
      ...base,
      onIgnored: metrics.ignored,
      onRaised(created) {
        metrics.raised(created.length)
        enrichment.enrich(created)
      },
      raising: {
        random: world.random,
        surge: openSurge(),
        quietMs: DAY_MS,
        announce: () => Promise.resolve(),
      },
    })

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
      tokensUrl =
        config.ROOKERY_TOKENS_URL || `http://${host}:${(channel.server.address() as AddressInfo).port}`
    }

    let apiUrl: string | undefined
    if (parts.includes('api')) {
      const trustedProxies = config.ROOKERY_TRUSTED_PROXIES.split(',').filter(Boolean)
      const server = openServer({ log, random: world.random, trustedProxies })
      serveHealth(server, base, metrics, config.ROOKERY_METRICS_TOKEN)
      serveDocs(server)
      mount(server, routes(base), {
        authenticate: openAuthenticate(base),
        publicUrl: config.ROOKERY_PUBLIC_URL || undefined,
        ...(checkAnswer && { checkAnswer }),
      })
      apiUrl = await listen(server, config)
      closers.push(() => server.close())
    }
    return { folder, base, ingest, apiUrl, tokensUrl, firstKeyFile, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Every endpoint group, in the order of the specification. */
function routes(base: OpenBase): Route<Call>[] {
  return [
    ...pingRoutes(),
    ...incidentQueryRoutes(base, () => Promise.resolve(new Map())),
    ...incidentActionRoutes(base),
    ...flockNoteRoutes(base),
  ]
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  const { host, port } = hostPort(config.ROOKERY_LISTEN)
  await server.listen({ host, port })
  return config.ROOKERY_PUBLIC_URL || `http://${host}:${(server.server.address() as AddressInfo).port}`
}

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
