// Sessions of one datagram, and the NetBIOS datagram service (RFC 1002, 4.4).
import type { SessionContext, SessionDefinition } from '../../../../session/session.ts'

const SECOND_MS = 1_000
const MAX_DATAGRAM = 65_536

export const datagramSession = (
  answer: (datagram: Buffer, context: SessionContext) => Buffer | undefined,
): SessionDefinition<undefined, Buffer> => ({
  limits: { frameBytes: MAX_DATAGRAM, idleMs: SECOND_MS },
  decode: (bytes) => (bytes.length === 0 ? undefined : { frame: bytes, length: bytes.length }),
  open: () => ({ state: undefined }),
  step(state, datagram, context) {
    const send = answer(datagram, context)
    return { state, ...(send && { send }) }
  },
})

/**
 * Port 138: takes what others announce and ask for, and answers nothing to a stranger, whose answers would be datagrams to
 * port 138 of its own machine.
 */
export const datagramService = datagramSession(() => undefined)
