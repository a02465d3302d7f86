// What one input does to a session: pure, so that its schedules are tested as transcripts (decision 0004).
import { Fault } from '@rookery/kernel/fault.ts'
import { DECOMMISSION } from '../../../stores/birds/commission.ts'
import { receiveFrame } from './frames.ts'
import { applyState, readRow, retrySettings } from './reconcile.ts'
import { sanitizeText } from '../sanitize.ts'
import {
  close,
  refuse,
  send,
  stay,
  type IdentifyingState,
  type Input,
  type SessionState,
  type Step,
} from './state.ts'

/** Three heartbeats missed. */
const SILENCE_MS = 90_000

export const INITIAL_STATE: SessionState = { name: 'awaiting-hello' }
const CLOSED: SessionState = { name: 'closed' }

export function step(state: SessionState, input: Input, now: number): Step {
  if (state.name === 'closed') return afterClose(input)
  switch (input.kind) {
    case 'frame':
      return receiveFrame(state, input.frame, input.remoteKey, now)
    case 'identified':
      return state.name === 'identifying' ? identified(state, input) : stay(state)
    case 'refused': {
      const { reason, message, retryAfterS } = input.refusal
      return refuse(state, reason, message, retryAfterS)
    }
    case 'changed':
    case 'recorded':
      return readRow(state)
    case 'read':
      return reconcile(state, input, now)
    case 'stored':
      return stay(state, send('ACK', { spoolId: input.spoolId, upto: input.upto }))
    case 'failed':
      return failed(state, input.error)
    case 'tick':
      return tick(state, input.heardAt, now)
    case 'superseded':
      return refuse(state, 'superseded', 'A newer link of this Bird was opened.')
    case 'stopping':
      return stay(
        state,
        ...('nodeId' in state ? [send('GOODBYE', { reason: 'the console is stopping' })] : []),
        { kind: 'close', why: 'the console is stopping' },
      )
    case 'closed':
      return ended(state)
  }
}

function identified(
  { hello }: IdentifyingState,
  { nodeId, wasOffline }: Input & { kind: 'identified' },
): Step {
  return stay(
    { name: 'identified', nodeId, hello, reading: 'yes' },
    {
      kind: 'log',
      level: 'info',
      message: 'Bird connected',
      fields: { nodeId, version: sanitizeText(hello.version) },
    },
    { kind: 'register', nodeId },
    { kind: 'read', nodeId, spoolId: hello.spool.spoolId },
    ...(wasOffline ? [{ kind: 'check-liveness' } as const] : []),
  )
}

function reconcile(state: SessionState, read: Input & { kind: 'read' }, now: number): Step {
  if (state.name !== 'identified' && state.name !== 'pending' && state.name !== 'registered')
    return stay(state)
  const applied = applyState({ ...state, reading: 'no' }, read, now)
  const isClosing = applied.effects.some(({ kind }) => kind === 'close')
  if (state.reading !== 'stale' || isClosing) return applied
  const again = readRow(applied.state)
  return stay(again.state, ...applied.effects, ...again.effects)
}

function tick(state: SessionState, heardAt: number, now: number): Step {
  if (now - heardAt > SILENCE_MS) return close(state, `silent for ${SILENCE_MS / 1000} s`)
  const retried = retrySettings(state, now)
  return stay(retried.state, { kind: 'ping' }, ...retried.effects)
}

function failed(state: SessionState, error: unknown): Step {
  const nodeId = 'nodeId' in state ? state.nodeId : undefined
  const log = (level: 'warn' | 'error', message: string, fields: object) =>
    ({ kind: 'log', level, message, fields: { nodeId, ...fields } }) as const
  // The Bird keeps its events, and comes back.
  if (error instanceof Fault && error.code === 'unavailable') {
    const refused = refuse(state, 'unavailable', error.message, error.retryAfterS ?? 5)
    return stay(state, log('warn', 'link refused', { reason: error.message }), ...refused.effects)
  }
  const closed = close(state, 'an error inside the console')
  return stay(state, log('error', 'link failed', { err: error }), ...closed.effects)
}

function ended(state: SessionState): Step {
  if (!('nodeId' in state)) return stay(CLOSED)
  const { nodeId } = state
  // A Bird that was sent its decommission and closes without a result has left.
  const hasLeft = state.name === 'registered' && [...state.sentCommands.values()].includes(DECOMMISSION)
  return stay(
    CLOSED,
    { kind: 'unregister', nodeId },
    ...(hasLeft ? [{ kind: 'remove-decommissioned', nodeId } as const] : []),
  )
}

/** Effects that were running when the connection ended still answer. */
const afterClose = (input: Input): Step =>
  input.kind === 'failed'
    ? stay(CLOSED, {
        kind: 'log',
        level: 'warn',
        message: 'failed after the link had closed',
        fields: { effect: input.effect, err: input.error },
      })
    : stay(CLOSED)
