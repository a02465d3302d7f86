// A Windows file server as a pure state machine: frames in, frames out. Nobody may write, and no password is right.
import type { SessionDefinition, Step } from '../../../../session/session.ts'
import { answerFrame } from './answer.ts'
import { decodeFrame, MAX_MESSAGE_BYTES, type SmbFrame } from '../../protocol/codec/frame.ts'
import { negotiateSmb1 } from './commands/negotiate.ts'
import { firstWindow } from '../../protocol/credits.ts'
import type { Machine } from './machine.ts'
import {
  negativeResponse,
  POSITIVE_RESPONSE,
  readSessionRequest,
  type SessionRequest,
} from '../../protocol/netbios/session-request.ts'
import { keptBytes } from '../../protocol/kept-bytes.ts'
import { FIRST_PREAUTH_HASH } from '../../protocol/signing/sign.ts'
import type { SmbConfig, SmbState, Transport, Windows } from './state.ts'

/** Windows disconnects clients without open files after 15 minutes (`autodisconnect`). */
const IDLE_MS = 15 * 60_000

export const firstState = (transport: Transport = 'direct'): SmbState => ({
  transport,
  negotiated: undefined,
  isUpgraded: false,
  preauthHash: FIRST_PREAUTH_HASH,
  window: firstWindow(),
  sessions: new Map(),
  waiting: new Map(),
  lastNumber: 1,
  discard: 0,
})

/** `transport`: how its first message comes. */
export function smbSession(
  config: SmbConfig,
  transport: Transport = 'direct',
): SessionDefinition<SmbState, SmbFrame | SessionRequest> {
  return {
    limits: { frameBytes: MAX_MESSAGE_BYTES + 4, idleMs: IDLE_MS },
    decode: (bytes, { discard, transport: now }) =>
      now === 'netbios-closed'
        ? readSessionRequest(bytes)
        : decodeFrame(bytes, discard, now === 'netbios-open'),
    open: () => ({ state: firstState(transport) }),
    keptBytes: keptBytes<Windows>,
    step(state, frame, context) {
      switch (frame.kind) {
        case 'session-request':
          return openSession(state, frame.called, config.machine(context.derive))
        case 'smb2':
          return answerFrame(state, frame.message, config, context)
        case 'smb1':
          return negotiateSmb1(state, frame.message, config.machine(context.derive), context)
        case 'long-write':
          return answerFrame({ ...state, discard: frame.rest }, frame.message, config, context)
        case 'discarded':
          return { state: { ...state, discard: state.discard - frame.bytes } }
        case 'unreadable':
          return { state, close: 'reset' }
      }
    },
  }
}

const ANY_SERVER = '*SMBSERVER'

/** A client calls the machine by its name, or by that which stands for every file server. */
function openSession(state: SmbState, called: string | undefined, { names }: Machine): Step<SmbState> {
  if (called === undefined) return { state, send: negativeResponse(0x8f), close: 'end' }
  const isHere = called === ANY_SERVER || called.toUpperCase() === names.netbiosComputer
  if (!isHere) return { state, send: negativeResponse(0x82), close: 'end' }
  return { state: { ...state, transport: 'netbios-open' }, send: POSITIVE_RESPONSE }
}
