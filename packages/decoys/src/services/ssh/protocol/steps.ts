// The two ways in which most steps end: packets are sent, or the connection is closed.
import type { SessionContext, Step } from '../../../session/session.ts'
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

/** How OpenSSH closes behind the identification: it reads packets in blocks of this size, and exits. */
export const CLOSE = { close: 'close', readAheadBytes: 8_192 } as const

/** Closes without a message, as OpenSSH does in most cases. */
export const close = (state: SshState): Step<SshState> => ({ state, ...CLOSE })

/** Closes with a last packet, mostly SSH_MSG_DISCONNECT. */
export const closeWith = (state: SshState, context: SessionContext, payload: Buffer): Step<SshState> => ({
  ...sendPackets(state, context, payload),
  ...CLOSE,
})
