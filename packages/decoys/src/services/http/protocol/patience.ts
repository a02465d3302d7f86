// How long a connection waits: for the peer, as its server has patience, and for a worker of its server.
import type { Step } from '../../../session/session.ts'
import type { Awaited, WebServer } from './web-server.ts'
import type { State } from './session-state.ts'

const LF = 10

/** What it does while its server has no worker for what has come, or once the server has ended the connection. */
export function withoutWorker(state: State, now: number): Step<State> | undefined {
  const { seat } = state
  if (seat?.status === 'ended') return { state, close: 'end' }
  if (seat?.status !== 'waiting') return undefined
  state.isHeld = true
  // The server counts its time from the first worker on.
  state.dueAt = Infinity
  return { ...untilDue(state, now), holds: true }
}

/** Until what is awaited is given up, or its server looks after its connections. */
export function untilDue(state: State, now: number): Step<State> {
  const wakeMs = Math.min(state.dueAt - now, state.seat?.looksInMs(now) ?? Infinity)
  return { state, ...(wakeMs < Infinity && { wakeMs }) }
}

export function headAwaited({ awaited, openedAt }: State, bytes: Buffer, now: number): Awaited {
  const hasLine = bytes.includes(LF)
  if (awaited.name === 'head') return { ...awaited, hasLine }
  return { name: 'head', since: now, hasLine, ...(awaited.name === 'first-byte' && { openedAt }) }
}

/** Gives the connection up when what it waits for has not come in time. */
export function waiting(
  { server }: { readonly server: WebServer },
  state: State,
  bytes: number,
  now: number,
): Step<State> {
  if (state.awaited.name === 'rest-of-body') return { state }
  state.dueAt = now + server.patienceMs(state.awaited, bytes, now)
  return untilDue(state, now)
}
