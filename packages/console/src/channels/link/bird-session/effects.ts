// Runs the effects of a session on the connection, the registry and the database.
import { limit } from '@rookery/kernel/limit.ts'
import { windowCounter } from '@rookery/kernel/window-counter.ts'
import type { Body } from '@rookery/link/messages.ts'
import type { Logger } from 'pino'
import type { AppContext } from '../../../app-context.ts'
import type { Ingest } from '../../../flows/ingest/ingest.ts'
import { withUpdateLink } from '../../../flows/releases/update-link.ts'
import { hasOpenCommand, openCommands, settleCommand } from '../../../stores/birds/commands.store.ts'
import { DECOMMISSION, removeBird } from '../../../stores/birds/commission.ts'
import { openTransfers } from '../../../stores/transfers/store.ts'
import { findSpoolPosition } from '../../../stores/birds/spool-positions.store.ts'
import { withOpenSecrets } from '../../../stores/birds/secret-settings.ts'
import { changeBird, findBird } from '../../../stores/birds/store.ts'
import { recordCopied, settleBundle } from '../../../stores/bundles/store.ts'
import type { Connection } from '../connection.ts'
import type { EventAllowance } from '../event-allowance.ts'
import type { Heartbeats } from '../heartbeats.ts'
import { identify, type HelloDeps } from '../hello.ts'
import { pacedEvents, type PacedEvents } from '../paced-events.ts'
import type { PendingLinks } from '../pending-links.ts'
import { sanitizeText } from '../sanitize.ts'
import { recordFetched, recordReported, sendPiece } from './file-effects.ts'
import type { BirdSession, RunEffect } from './driver.ts'
import { bundleOutcome, MAX_REASON, settingsColumns } from './settings-report.ts'
import type { Effect, Input, SettingsReport } from './state.ts'

export interface EffectDeps extends Pick<AppContext, 'reader' | 'writer' | 'world' | 'vault'> {
  readonly hello: HelloDeps
  readonly ingest: Pick<Ingest, 'fromBird'>
  readonly eventAllowance: EventAllowance
  readonly pendingLinks: PendingLinks
  readonly heartbeats: Pick<Heartbeats, 'add'>
  readonly log: Logger
  readonly register: (nodeId: string, session: BirdSession, connection: Connection) => void
  readonly unregister: (nodeId: string, session: BirdSession) => void
  /** A Bird whose outage has an incident is back. */
  readonly checkLiveness: () => void
}

/** Lines that a Bird may write into the console's log. */
const LOG_LINES_PER_MINUTE = limit('link_log_lines_per_minute', 60)
/** Birds whose log lines are counted. */
const LOG_LINE_BIRDS = limit('link_log_line_birds', 20_000)

const TOO_MANY_PENDING: Input = {
  kind: 'refused',
  refusal: {
    reason: 'too-many',
    message: 'Too many Birds of this address wait for a person. Commission them, or use an enrolment code.',
    retryAfterS: 60,
  },
}

/** One for all sessions: the allowance of a Bird's log lines does not start anew with each link. */
export function openEffects(deps: EffectDeps): (connection: Connection) => RunEffect {
  const { world, heartbeats, log } = deps
  const { clock } = world
  const logLines = windowCounter<string>(LOG_LINE_BIRDS, 60_000)

  function logBird(nodeId: string, { level, message }: Body<'LOG'>): void {
    if (logLines.count(nodeId, clock.now()) > LOG_LINES_PER_MINUTE.max) return LOG_LINES_PER_MINUTE.hit()
    log[level === 'warning' ? 'warn' : level]({ nodeId, line: sanitizeText(message, 2_000) }, 'log of a Bird')
  }

  return (connection) => {
    const events = pacedEvents({ ...deps, clock })
    return (effect, session) => runEffect(effect, session, connection, events)
  }

  function runEffect(
    effect: Effect,
    session: BirdSession,
    connection: Connection,
    events: PacedEvents,
  ): ReturnType<RunEffect> {
    const { address } = connection
    switch (effect.kind) {
      case 'send':
        if (effect.frame.kind === 'COMMISSIONED') deps.pendingLinks.remove(connection)
        return void connection.send(effect.frame)
      case 'ping':
        return void connection.ping()
      case 'close':
        return void connection.close(effect.why)
      case 'identify':
        return identify(deps.hello, { ...effect, address }).then((outcome) =>
          'refused' in outcome
            ? { kind: 'refused', refusal: outcome.refused }
            : { kind: 'identified', ...outcome },
        )
      case 'register':
        return void deps.register(effect.nodeId, session, connection)
      case 'unregister':
        events.end()
        return void deps.unregister(effect.nodeId, session)
      case 'admit-pending':
        return deps.pendingLinks.add(connection) ? undefined : Promise.resolve(TOO_MANY_PENDING)
      case 'check-liveness':
        return void deps.checkLiveness()
      case 'read':
        return readBird(deps, effect)
      case 'store-events': {
        const { spoolId } = effect.batch
        return events
          .store(effect.batch)
          .then((upto) => (upto === undefined ? undefined : { kind: 'stored', spoolId, upto }))
      }
      case 'store-heartbeat': {
        heartbeats.add(effect.heartbeat)
        return
      }
      case 'record-settings':
        return recordSettings(deps, effect.nodeId, effect.report).then(() => ({ kind: 'recorded' }))
      case 'record-copied':
        return deps.writer.write(async (tx) => {
          const change = { copied: effect.copied, updated_at: world.clock.now() }
          await recordCopied(tx.query, effect.nodeId, effect.tag, change)
          return undefined
        })
      case 'serve-file':
        return sendPiece(deps, connection, effect)
      case 'record-file':
        return recordFetched(deps, effect)
      case 'record-file-state':
        return recordReported(deps, effect.nodeId, effect.report)
      case 'mark-sent':
        return markSent(deps, effect.nodeId, effect.commandIds)
      case 'settle-command':
        return settle(deps, effect.nodeId, effect.result)
      case 'remove-decommissioned':
        return removeDecommissioned(deps, effect.nodeId)
      case 'log-bird':
        return void logBird(effect.nodeId, effect.line)
      case 'log':
        return void log[effect.level]({ ...effect.fields, address }, effect.message)
    }
  }
}

type Storage = Pick<AppContext, 'reader' | 'writer' | 'world'>

async function readBird(
  { reader, vault, world }: Storage & Pick<AppContext, 'vault'>,
  { nodeId, spoolId }: Effect & { kind: 'read' },
): Promise<Input> {
  const found = await findBird(reader, 'all', nodeId)
  const row = found && withOpenSecrets(vault, found)
  const isRegistered = row?.state === 'registered'
  return {
    kind: 'read',
    row,
    upto: isRegistered && spoolId !== undefined ? await findSpoolPosition(reader, nodeId, spoolId) : 0,
    commands: isRegistered ? await openCommands(reader, nodeId) : [],
    transfers: isRegistered
      ? (await openTransfers(reader, nodeId)).map((row) => withUpdateLink(vault, world.clock.now(), row))
      : [],
  }
}

const recordSettings = ({ writer, world }: Storage, nodeId: string, report: SettingsReport): Promise<void> =>
  writer.write(async (tx) => {
    const row = await findBird(tx.query, 'all', nodeId)
    if (!row) return
    const updated_at = world.clock.now()
    await changeBird(tx.query, nodeId, { ...settingsColumns(row, report), updated_at })
    await settleBundle(tx.query, nodeId, sanitizeText(report.body.tag), {
      ...bundleOutcome(report),
      updated_at,
    })
  })

const markSent = (
  { writer, world }: Storage,
  nodeId: string,
  commandIds: readonly string[],
): Promise<undefined> =>
  writer.write(async (tx) => {
    const change = { state: 'sent', detail: '', updated_at: world.clock.now() } as const
    for (const id of commandIds) await settleCommand(tx.query, nodeId, id, change)
    return undefined
  })

const settle = (
  { writer, world }: Storage,
  nodeId: string,
  { id, ok, detail }: Body<'CMD_RESULT'>,
): Promise<undefined> =>
  writer.write(async (tx) => {
    const change = {
      state: ok ? 'done' : 'failed',
      detail: sanitizeText(detail, MAX_REASON),
      updated_at: world.clock.now(),
    } as const
    if ((await settleCommand(tx.query, nodeId, id, change)) !== DECOMMISSION) return undefined
    const row = await findBird(tx.query, 'all', nodeId)
    if (row?.state === 'registered') await removeBird(tx, row, world)
    return undefined
  })

const removeDecommissioned = ({ writer, world }: Storage, nodeId: string): Promise<undefined> =>
  writer.write(async (tx) => {
    const row = await findBird(tx.query, 'all', nodeId)
    const isOpen = await hasOpenCommand(tx.query, nodeId, DECOMMISSION)
    if (row?.state === 'registered' && isOpen) await removeBird(tx, row, world)
    return undefined
  })
