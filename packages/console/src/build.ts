// The composition root: reads like a table of contents, and can build a part of the service alone.
import type { Logger } from 'pino'
import type { Operation } from '@rookery/contract/operation.ts'
import { DEFAULT_FLOCK } from '@rookery/kernel/ids.ts'
import type { World } from '@rookery/kernel/world.ts'
import { createEnrolment } from './channels/link/enrol.ts'
import type { Config } from './config/config.ts'
import { openDataFolder, type DataFolder } from './data-folder.ts'
import { takeLock } from './db/lock.ts'
import { makeRoom } from './db/reserve.ts'
import { repairModes } from './file-modes.ts'
import { openTaskReport } from './maintenance/task-report.ts'
import { ensureFirstKey } from './setup/first-key.ts'
import { ensureFirstUser } from './setup/first-user.ts'
import { makeSetupCode } from './setup/setup-ticket.ts'
import { watchFirstStart } from './setup/first-start.ts'
import { forgetRecoverableKeys } from './setup/forget-recoverable-keys.ts'
import type { Ingest } from './flows/ingest/ingest.ts'
import type { Liveness } from './flows/liveness/liveness.ts'
import type { Retention } from './flows/retention/retention.ts'
import type { WeeklySummary } from './flows/weekly-summary/weekly-summary.ts'
import type { Dispatcher } from './notify/queue/dispatcher.ts'
import { openContext, type OpenContext, type TimeSource } from './open-context.ts'
import { openFlows, prepareAlerts, type AlertOptions, type ServedProviders } from './parts/flows.ts'
import { serveHttp } from './parts/http-server.ts'
import { endpointsOf } from './parts/login-channels.ts'
import { PARTS, type Part } from './parts/part.ts'
import type { PasswordCost } from './secrets/passwords.ts'
import { serveTokens, tokensElsewhere } from './parts/tokens.ts'
import { wireguardPlacement } from './parts/wireguard.ts'

export interface BuildDeps {
  readonly config: Config
  readonly world: World
  readonly log: Logger
  readonly parts?: readonly Part[]
  readonly checkAnswer?: (operation: Operation, answer: object) => void
  readonly alerting?: Partial<AlertOptions>
  /** Whose clock says the time on PostgreSQL; the database's by default. */
  readonly time?: TimeSource
  /** Of new passwords; tests take less. */
  readonly passwordCost?: PasswordCost
}

export interface Console {
  readonly folder: DataFolder
  readonly base: OpenContext
  readonly ingest: Ingest
  readonly dispatcher: Dispatcher
  readonly summaries: WeeklySummary
  readonly retention: Retention
  readonly providers: ServedProviders
  /** Undefined where the links are not served. */
  readonly liveness: Liveness | undefined
  /** Base addresses, without a trailing slash; undefined for a part that is not served. */
  readonly apiUrl: string | undefined
  /** The console by its own HTTPS; undefined where it has none. */
  readonly consoleHttpsUrl: string | undefined
  readonly tokensUrl: string | undefined
  /** `host:port` of HTTPS for tokens; undefined when it is not served or its default address is taken. */
  readonly httpsAddress: string | undefined
  /** `host:port` of the token DNS server; undefined when it is not served or its default address is taken. */
  readonly dnsAddress: string | undefined
  /** `host:port` of the token WireGuard server; undefined when it is not served, off, or its default address is taken. */
  readonly wireguardAddress: string | undefined
  /** `host:port` of the token listeners for logins; undefined where one is switched off, not served, or its default address taken. */
  readonly mysqlAddress: string | undefined
  readonly postgresAddress: string | undefined
  /** Where Birds on this machine call. */
  readonly linkUrl: string | undefined
  /** The page where the first person signs up; undefined once there is one, or where the API is not served. */
  readonly setupUrl: string | undefined
  /** Where the first admin key was written, if this start made one. */
  readonly firstKeyFile: string | undefined
  /** An enrolment code that brings one Bird into the default Flock, within ten minutes. */
  enrolLocalBird(): Promise<string>
  /** Stops accepting, finishes what came in, pauses the outbox, closes the database. */
  stop(): Promise<void>
}

const ENROLMENT_MS = 600_000
/** A stop ends within 5 s (packages/cli/src/until-stopped.ts); what is left of them is for what comes behind the database. */
const DATABASE_STOP_MS = 3_000

/** Opens the console with the given parts; everything it opened is closed again when a step fails. */
export async function openConsole({
  config,
  world,
  log,
  parts = PARTS,
  checkAnswer,
  alerting = {},
  time,
  passwordCost,
}: BuildDeps): Promise<Console> {
  const folder = openDataFolder(config.ROOKERY_DATA_DIR)
  repairModes(folder, (file) => log.warn(file, 'others could read this file; its mode is repaired'))
  await using opened = new AsyncDisposableStack()
  if (config.ROOKERY_DATABASE_URL === '') {
    makeRoom(folder.reserve, folder.path)
    opened.defer(takeLock(folder.lock))
  }
  const firstStart = watchFirstStart(config.ROOKERY_DATABASE_URL, folder, log)
  let hasStarted = false
  opened.defer(() => (hasStarted ? undefined : firstStart.takeBack()))
  const base = await openContext(config, folder, world, log, {
    ...(time && { time }),
    ...(passwordCost && { passwordCost }),
    onSchemaMade: firstStart.schemaMade,
  })
  opened.defer(base.close)
  if (config.ROOKERY_KEYS === 'show-once') await forgetRecoverableKeys(base)
  const firstKeyFile = await ensureFirstKey(base, config, folder.adminKey)
  await ensureFirstUser(base, config)
  // A console whose table of users is damaged serves all the rest.
  const setupCode = parts.includes('api')
    ? await makeSetupCode(base).catch((err: unknown) => {
        log.warn({ err }, 'no set-up link could be made')
        return undefined
      })
    : undefined

  const flows = openFlows(base, config, alerting, opened)
  const tokens = parts.includes('tokens') ? await serveTokens(base, config, flows, folder, opened) : undefined
  const http = await serveHttp({
    base,
    config,
    folder,
    flows,
    parts,
    tokensUrl: tokens?.url ?? tokensElsewhere(config),
    placement: {
      wireguard: wireguardPlacement(config, base.vault, tokens?.wireguardAddress),
    },
    loginEndpoints: tokens?.logins.endpoints ?? endpointsOf(config),
    checkAnswer,
    opened,
  })
  flows.dispatcher.start()
  opened.defer(openTaskReport(base, folder.tasks))
  void prepareAlerts(base)

  hasStarted = true
  const running = opened.move()
  return {
    folder,
    base,
    ingest: flows.ingest,
    dispatcher: flows.dispatcher,
    summaries: flows.summaries,
    retention: flows.retention,
    providers: flows.providers,
    ...http,
    tokensUrl: tokens?.url,
    httpsAddress: tokens?.httpsAddress,
    dnsAddress: tokens?.dnsAddress,
    wireguardAddress: tokens?.wireguardAddress,
    mysqlAddress: tokens?.logins.addresses.mysql,
    postgresAddress: tokens?.logins.addresses.postgres,
    setupUrl: setupCode && http.signInUrl && `${http.signInUrl}/setup#${setupCode}`,
    firstKeyFile,
    enrolLocalBird: () =>
      createEnrolment(base, { flockId: DEFAULT_FLOCK, uses: 1, lifetimeMs: ENROLMENT_MS }),
    async stop() {
      const { abandon, place } = base.engine
      const timer = setTimeout(() => {
        if (abandon) log.warn({ place }, 'database does not answer; the stop no longer waits for it')
        abandon?.()
      }, DATABASE_STOP_MS)
      await running.disposeAsync().finally(() => clearTimeout(timer))
    },
  }
}
