// The two ways in which most steps end: packets are sent, or the connection is closed.
import type { SessionContext, Step } from '../../session.ts'
import { packetWriter } from './packet-writer.ts'
import type { SshState } from './state.ts'

export function sendPackets(
  state: SshState,
  context: SessionContext,
  ...payloads: readonly Buffer[]
): Step<SshState> & { readonly send: Buffer } {
  const writer = packetWriter(state.outbound, context.random)
  for (const payload of payloads) writer.add(payload)
  return { state: { ...state, outbound: writer.direction }, send: writer.bytes() }
}

/** Closes without a message, as OpenSSH does in most cases. */
export const close = (state: SshState): Step<SshState> => ({ state, close: 'end' })

/** Closes with a last packet, mostly SSH_MSG_DISCONNECT. */
export const closeWith = (state: SshState, context: SessionContext, payload: Buffer): Step<SshState> => ({
  ...sendPackets(state, context, payload),
  close: 'end',
})
