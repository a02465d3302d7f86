// Brings a Bird in line with its row, which other requests and other consoles change.
import type { Body } from '@rookery/link/messages.ts'
import type { CommandRow } from '../../../stores/birds/commands.store.ts'
import type { BirdRow } from '../../../stores/birds/store.ts'
import { offerFiles } from './file-offers.ts'
import { settingsOffer } from './settings-offer.ts'
import { isRolledBack } from './settings-report.ts'
import { storeHeartbeat } from './store-heartbeat.ts'
import {
  refuse,
  send,
  stay,
  type Effect,
  type IdentifiedState,
  type Input,
  type PendingState,
  type RegisteredState,
  type SessionState,
  type Step,
} from './state.ts'

const DAY_S = 86_400

/** Reads the row, or once more after the present read: whatever changed before a read starts is in it. */
export function readRow(state: SessionState): Step {
  if (state.name !== 'identified' && state.name !== 'pending' && state.name !== 'registered')
    return stay(state)
  if (state.reading !== 'no') return stay({ ...state, reading: 'stale' })
  const spoolId = state.name === 'registered' ? undefined : state.hello.spool.spoolId
  return stay({ ...state, reading: 'yes' }, { kind: 'read', nodeId: state.nodeId, spoolId })
}

/** Sends what the row says and the Bird does not know yet. */
export function applyState(
  state: IdentifiedState | PendingState | RegisteredState,
  { row, upto, commands, transfers }: Input & { kind: 'read' },
  now: number,
): Step {
  switch (row?.state) {
    case 'pending':
    case 'queued':
      return state.name === 'identified'
        ? stay({ ...state, name: 'pending' }, { kind: 'admit-pending' }, send('PENDING', { serverMs: now }))
        : stay(state)
    case 'registered': {
      const registered = state.name === 'registered' ? stay(state) : sendRegistered(state, row, upto, now)
      const offered = offerSettings(registered.state, row)
      const commanded = sendCommands(offered.state, commands)
      const filed = offerFiles(commanded.state, transfers, now)
      const said = [registered, offered, commanded, filed].flatMap(({ effects }) => effects)
      return stay(filed.state, ...said)
    }
    case 'cancelled':
      return refuse(state, 'cancelled', 'The commission of this Bird was cancelled.', DAY_S)
    case 'removed':
    case undefined:
      return refuse(state, 'revoked', 'This Bird was decommissioned.')
  }
}

function sendRegistered(
  { name, nodeId, hello, reading }: IdentifiedState | PendingState,
  row: BirdRow,
  upto: number,
  now: number,
): Step<RegisteredState> {
  const body: Body<'REGISTERED'> = {
    nodeId,
    settingsTag: row.settings_tag || null,
    serverMs: now,
    acked: { spoolId: hello.spool.spoolId, upto },
  }
  const hasFailed = row.settings_failure !== '' && !isRolledBack(row)
  // A bundle that failed in an earlier session is offered to each new one.
  const settledTag = hasFailed ? '' : hello.settings.tag
  const none = {
    retryAt: undefined,
    offer: undefined,
    sentCommands: new Map<string, string>(),
    files: new Map(),
  }
  return stay(
    { name: 'registered', nodeId, hello, reading, settledTag, ...none },
    // A heartbeat of an earlier link may still wait to be stored: it must not replace what HELLO said.
    ...(name === 'identified' ? [storeHeartbeat(nodeId, hello, true, now)] : []),
    send(hello.nodeId === nodeId ? 'REGISTERED' : 'COMMISSIONED', body),
  )
}

function offerSettings(state: RegisteredState, row: BirdRow): Step<RegisteredState> {
  const isWanted = row.settings_tag !== '' && row.settings_tag !== state.settledTag && !isRolledBack(row)
  if (!isWanted || state.offer?.body.tag === row.settings_tag) return stay(state)
  const offer = settingsOffer(row)
  return stay({ ...state, offer }, send('SETTINGS_OFFER', offer.body))
}

/** Offers a bundle again that failed some time ago: the port that was in use may be free. */
export function retrySettings(state: SessionState, now: number): Step {
  if (state.name !== 'registered' || state.retryAt === undefined || now < state.retryAt) return stay(state)
  return readRow({ ...state, settledTag: '', retryAt: undefined })
}

/** Each once in a session; the Bird carries out a repeated id only once. */
function sendCommands(state: RegisteredState, commands: readonly CommandRow[]): Step<RegisteredState> {
  const unsent = commands.filter(({ command_id }) => !state.sentCommands.has(command_id))
  if (unsent.length === 0) return stay(state)
  const frames = unsent.map(({ command_id: id, kind, payload }) =>
    send('CMD', { id, kind, payload: JSON.parse(payload) as Record<string, unknown> }),
  )
  const waiting = unsent.filter((command) => command.state === 'waiting').map(({ command_id }) => command_id)
  const mark: Effect = { kind: 'mark-sent', nodeId: state.nodeId, commandIds: waiting }
  const sentCommands = new Map([
    ...state.sentCommands,
    ...unsent.map(({ command_id, kind }) => [command_id, kind] as const),
  ])
  return stay({ ...state, sentCommands }, ...frames, ...(waiting.length > 0 ? [mark] : []))
}
