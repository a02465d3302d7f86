// What runs in every part: touches become incidents, incidents become alerts.
import type { Config } from '../config/config.ts'
import { openEnrichment } from '../flows/enrich.ts'
import { factPaths } from '../flows/ip-facts/fact-files.ts'
import { openIpFacts } from '../flows/ip-facts/ip-facts.ts'
import { openSourceDescriber } from '../flows/ip-facts/describe-sources.ts'
import { openHousekeeping } from '../flows/housekeeping.ts'
import { openIngest, type Ingest } from '../flows/ingest/ingest.ts'
import { openProviderWork, type ProviderWorkDeps } from '../flows/providers/providers.ts'
import { openProviderRegistry, type ProviderRegistry } from '../flows/providers/registry.ts'
import type { NewIncident } from '../flows/raise/plan.ts'
import type { RaiseDeps } from '../flows/raise/raise.ts'
import { openIncidentRateLimit } from '../flows/raise/incident-rate-limit.ts'
import { openRetention, type Retention } from '../flows/retention/retention.ts'
import { openAutomaticUpdates } from '../flows/releases/automatic.ts'
import { openWeeklySummary, type WeeklySummary } from '../flows/weekly-summary/weekly-summary.ts'
import { openMetrics, type Metrics } from '../metrics.ts'
import { openDispatcher, type Dispatcher } from '../notify/queue/dispatcher.ts'
import { openOutbox, type Outbox } from '../notify/queue/outbox.ts'
import { ALERTS_PER_MINUTE } from '../notify/queue/rate-limit.ts'
import type { Notifier } from '../notify/receivers.ts'
import { activeReceivers } from '../notify/active-receivers.ts'
import { receiverKinds } from '../notify/receivers.gen.ts'
import { openSender } from '../notify/send.ts'
import { countNotStanding } from '../stores/birds/not-standing.store.ts'
import type { TokenTouches } from '../channels/token-touches.ts'
import { sentUrl } from '../addresses/reachable-address.ts'
import type { OpenContext } from '../open-context.ts'
import { incidentNames } from '../secrets/incident-name.ts'

export interface AlertOptions {
  /** Alerts a minute to one receiver before the rest becomes a digest. */
  readonly perMinute: number
  /** How long one delivery may take. */
  readonly timeoutMs: number
}

export interface ServedProviders {
  readonly registry: ProviderRegistry
  /** Revokes what is due now. */
  wake(): void
  /** Resolves once nothing is asked of a provider. */
  idle(): Promise<void>
}

type WaitingTouches = Pick<TokenTouches, 'waiting' | 'notDurable'>

export interface Flows {
  readonly ingest: Ingest
  readonly dispatcher: Dispatcher
  readonly summaries: WeeklySummary
  readonly retention: Retention
  readonly metrics: Metrics
  /** For others that raise incidents (liveness). */
  readonly raised: {
    readonly raising: RaiseDeps
    readonly onRaised: (created: readonly NewIncident[]) => void
  }
  /** Settings of the alerts, as the test operations need them, too. */
  readonly notifier: Pick<
    Notifier,
    'send' | 'sentTo' | 'isConfigured' | 'refusal' | 'checkService' | 'consoleUrl'
  >
  readonly providers: ServedProviders
  /** Removes what is due now. */
  wakeHousekeeping(): void
  /** The automatic update of Birds looks at what is due now. */
  wakeUpdates(): void
  /** The address of the console for people, set once it listens; empty where there is none. */
  setConsoleUrl(url: string): void
  /** Counts the touches that wait for the database. */
  setWaitingTouches(touches: WaitingTouches): void
}

const DAY_MS = 86_400_000

/** Loads what sends alerts, if there are receivers: its files may be replaced while the console runs. */
export async function prepareAlerts({ config, world, log }: OpenContext): Promise<void> {
  try {
    if ((await activeReceivers(config)).size === 0) return
    await world.outbound.prepare?.()
    await world.mail?.prepare?.()
  } catch (error) {
    log.warn({ err: error }, 'could not load the senders of alerts; the first alert tries again')
  }
}

/** Nothing is done for providers while none is configured. */
function serveProviders(
  deps: Omit<ProviderWorkDeps, 'registry'>,
  config: Config,
  opened: AsyncDisposableStack,
): ServedProviders {
  const registry = openProviderRegistry(config, deps.world)
  if (!registry.statuses.some(({ isConfigured }) => isConfigured))
    return { registry, wake: () => undefined, idle: () => Promise.resolve() }
  const work = openProviderWork({ ...deps, registry })
  opened.defer(work.stop)
  return { registry, wake: work.wake, idle: work.idle }
}

/** What makes incidents of touches, and their alerts. */
export function openRaising(
  base: OpenContext,
  config: Config,
): { readonly outbox: Outbox; readonly raising: RaiseDeps } {
  const outbox = openOutbox(base)
  const rateLimit = openIncidentRateLimit(Number(config.ROOKERY_BIRD_INCIDENTS_PER_MINUTE))
  const raising = {
    names: incidentNames(base.vault),
    rateLimit,
    quietMs: DAY_MS,
    announce: outbox.announce,
  }
  return { outbox, raising }
}

export function openFlows(
  base: OpenContext,
  config: Config,
  options: Partial<AlertOptions>,
  opened: AsyncDisposableStack,
): Flows {
  let consoleUrl = sentUrl(config.ROOKERY_PUBLIC_URL, config.ROOKERY_LISTEN)
  let touches: WaitingTouches = { waiting: () => 0, notDurable: () => 0 }
  const { perMinute, timeoutMs } = { perMinute: ALERTS_PER_MINUTE.max, timeoutMs: 10_000, ...options }
  const notifier = {
    ...openSender({ world: base.world, config, timeoutMs }),
    perMinute,
    consoleUrl: () => consoleUrl,
  }

  const metrics = openMetrics({
    touchesWaiting: () => touches.waiting(),
    touchesNotDurable: () => touches.notDurable(),
    diskFull: base.isFull,
    decoysNotStanding: () => countNotStanding(base.reader),
    tasks: base.background.statuses,
    now: base.world.clock.now,
  })
  const enrichment = openEnrichment(base)
  opened.defer(enrichment.stop)
  const ipFacts = openIpFacts(factPaths(config), base)
  if (ipFacts) opened.defer(ipFacts.stop)
  const sourceDescriber = ipFacts && openSourceDescriber(ipFacts, base)
  if (sourceDescriber) opened.defer(sourceDescriber.stop)
  const housekeeping = openHousekeeping(base)
  opened.defer(housekeeping.stop)
  const retention = openRetention(base)
  opened.defer(retention.stop)
  const dispatcher = openDispatcher({
    ...base,
    ...notifier,
    nameOf: enrichment.nameOf,
    factsOf: ipFacts?.lookUp,
  })
  opened.defer(dispatcher.stop)
  for (const { openWork } of Object.values(receiverKinds)) {
    const work = openWork?.({
      ...base,
      consoleUrl: notifier.consoleUrl,
      timeoutMs,
      active: () => activeReceivers(base.config),
    })
    if (work) opened.defer(work.stop)
  }
  const { outbox, raising } = openRaising(base, config)
  const raised = {
    onRaised(created: readonly NewIncident[]): void {
      metrics.raised(created.length)
      enrichment.enrich(created)
      if (outbox.hasNews()) dispatcher.wake()
    },
    raising,
  }
  const summaries = openWeeklySummary({
    ...base,
    timeZone: config.ROOKERY_TIMEZONE,
    onQueued: dispatcher.wake,
  })
  const updates = openAutomaticUpdates({ ...base, ...raised })
  const ingest = openIngest({
    ...base,
    ...raised,
    sourceDescriber,
    onIgnored: metrics.ignored,
    onRefused: metrics.refused,
  })
  opened.defer(ingest.stop)
  return {
    ingest,
    providers: serveProviders({ ...base, ...raised, ingest }, config, opened),
    dispatcher,
    summaries,
    retention,
    metrics,
    raised,
    notifier,
    wakeHousekeeping: housekeeping.wake,
    wakeUpdates: updates.wake,
    setConsoleUrl: (url) => (consoleUrl = url),
    setWaitingTouches: (served) => (touches = served),
  }
}
