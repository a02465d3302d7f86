// The two ways in which a step ends: packets go out, or the connection does.
import type { SessionContext, Step } from '../../session.ts'
import { openOutbox } from './outbox.ts'
import type { SshState } from './state.ts'

export function say(
  state: SshState,
  context: SessionContext,
  ...payloads: readonly Buffer[]
): Step<SshState> & { readonly send: Buffer } {
  const outbox = openOutbox(state.outbound, context.random)
  for (const payload of payloads) outbox.add(payload)
  return { state: { ...state, outbound: outbox.direction }, send: outbox.bytes() }
}

/** Without a payload, as OpenSSH closes in most cases, nothing is said. */
export function close(state: SshState): Step<SshState>
export function close(state: SshState, context: SessionContext, payload: Buffer): Step<SshState>
export function close(state: SshState, context?: SessionContext, payload?: Buffer): Step<SshState> {
  return context && payload ? { ...say(state, context, payload), close: 'end' } : { state, close: 'end' }
}
