// What each frame of a Bird does.
import type { Body, Frame } from '@rookery/link/messages.ts'
import { DECOMMISSION } from '../../../stores/birds/commission.ts'
import { eventTime } from './event-time.ts'
import { sanitizeFields, sanitizeText } from '../sanitize.ts'
import { serveFile } from './file-pieces.ts'
import { readRow } from './reconcile.ts'
import { storeHeartbeat } from './store-heartbeat.ts'
import { newlyCopied, settingsChunk, type SettingsOffer } from './settings-offer.ts'
import {
  close,
  refuse,
  send,
  stay,
  type ClosedState,
  type Effect,
  type LeavingState,
  type RegisteredState,
  type SessionState,
  type SettingsReport,
  type Step,
} from './state.ts'

/** A bundle that failed is offered again at the first tick after this: ticks come every 30 s, so about each minute. */
const RETRY_MS = 45_000

type OpenState = Exclude<SessionState, ClosedState>

export function receiveFrame(state: OpenState, frame: Frame, remoteKey: Buffer, now: number): Step {
  if (frame.kind === 'GOODBYE')
    return close(state, `the Bird said goodbye: ${sanitizeText(frame.body.reason)}`)
  switch (state.name) {
    case 'awaiting-hello':
      if (frame.kind !== 'HELLO') return refuse(state, 'bad-frame', `${frame.kind} before HELLO.`)
      return stay(
        { name: 'identifying', hello: frame.body },
        { kind: 'identify', hello: frame.body, publicKey: remoteKey },
      )
    case 'identifying':
      return refuse(state, 'bad-frame', `${frame.kind} before HELLO was answered.`)
    case 'identified':
    case 'pending':
      if (frame.kind === 'HEARTBEAT') return stay(state, ...heartbeat(state, frame.body, now))
      return refuse(state, 'bad-frame', `${frame.kind} from a pending Bird.`)
    case 'registered':
    case 'leaving':
      return receiveRegistered(state, frame, now)
  }
}

function receiveRegistered(state: RegisteredState | LeavingState, frame: Frame, now: number): Step {
  const { nodeId } = state
  switch (frame.kind) {
    case 'HEARTBEAT':
      return stay(state, ...heartbeat(state, frame.body, now))
    case 'EVENT_BATCH':
      return stay(state, { kind: 'store-events', batch: birdBatch(nodeId, frame.body, now) })
    case 'SETTINGS_FETCH':
      return state.offer?.body.tag === frame.body.tag
        ? serveChunk(state, state.offer, frame.body)
        : readRow({ ...state, offer: undefined })
    case 'SETTINGS_APPLIED':
    case 'SETTINGS_FAILED':
    case 'SETTINGS_REVERTED':
      return settleSettings(state, frame, now)
    case 'CMD_RESULT': {
      const isLeaving = state.sentCommands.get(frame.body.id) === DECOMMISSION
      return stay(isLeaving ? { ...state, name: 'leaving' } : state, {
        kind: 'settle-command',
        nodeId,
        result: frame.body,
      })
    }
    case 'FILE_FETCH':
      return serveFile(state, frame.body)
    case 'FILE_STATE':
      return stay(state, { kind: 'record-file-state', nodeId, report: frame.body })
    case 'LOG':
      return stay(state, { kind: 'log-bird', nodeId, line: frame.body })
    case 'HELLO':
      return refuse(state, 'bad-frame', 'HELLO came twice.')
    default:
      return refuse(state, 'bad-frame', `${frame.kind} is not for the console.`)
  }
}

function serveChunk(
  state: RegisteredState | LeavingState,
  offer: SettingsOffer,
  wanted: Body<'SETTINGS_FETCH'>,
): Step {
  const chunk = send('SETTINGS_CHUNK', settingsChunk(offer, wanted))
  const copied = newlyCopied(offer, wanted)
  if (copied === undefined) return stay(state, chunk)
  const { nodeId } = state
  const recorded: Effect = { kind: 'record-copied', nodeId, tag: offer.body.tag, copied }
  return stay({ ...state, offer: { ...offer, copied } }, chunk, recorded)
}

const heartbeat = (
  { name, nodeId }: Extract<OpenState, { nodeId: string }>,
  body: Body<'HEARTBEAT'>,
  now: number,
): Effect[] => [
  storeHeartbeat(nodeId, body, name === 'registered' || name === 'leaving', now),
  send('HEARTBEAT_ACK', { serverMs: now }),
]

const birdBatch = (
  nodeId: string,
  batch: Body<'EVENT_BATCH'>,
  receivedAt: number,
): (Effect & { kind: 'store-events' })['batch'] => ({
  nodeId,
  spoolId: batch.spoolId,
  receivedAt,
  events: batch.events.map((event) => ({
    seq: event.seq,
    touch: {
      nodeId,
      logtype: event.logtype,
      instance: sanitizeText(event.instance),
      at: eventTime(event, batch, receivedAt),
      srcHost: sanitizeText(event.srcHost),
      srcPort: event.srcPort,
      dstHost: sanitizeText(event.dstHost),
      dstPort: event.dstPort,
      fields: sanitizeFields(event.fields),
    },
  })),
})

/** Once it is recorded, the row is read again: a newer bundle may have come while this one was applied. */
function settleSettings(state: RegisteredState | LeavingState, report: SettingsReport, now: number): Step {
  const { nodeId } = state
  const { tag } = report.body
  const offer = state.offer?.body.tag === tag ? undefined : state.offer
  const effects: Effect[] = [{ kind: 'record-settings', nodeId, report }]
  if (report.kind !== 'SETTINGS_APPLIED') {
    const fields = { nodeId, tag: sanitizeText(tag), reason: sanitizeText(report.body.reason, 500) }
    effects.unshift({ kind: 'log', level: 'warn', message: 'settings not in force', fields })
  }
  const retryAt = report.kind === 'SETTINGS_FAILED' ? now + RETRY_MS : undefined
  return stay({ ...state, offer, settledTag: tag, retryAt }, ...effects)
}
