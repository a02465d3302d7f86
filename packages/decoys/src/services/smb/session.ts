// A Windows file server as a pure state machine: frames in, frames out. Nobody may write, and no password is right.
import type { SessionDefinition } from '../../session.ts'
import { answerFrame } from './answer.ts'
import { decodeFrame, MAX_MESSAGE_BYTES, type SmbFrame } from './codec/frame.ts'
import { negotiateSmb1 } from './commands/negotiate.ts'
import { firstWindow } from './credits.ts'
import { FIRST_PREAUTH_HASH } from './signing/sign.ts'
import type { SmbConfig, SmbState } from './state.ts'

/** Windows disconnects clients without open files after 15 minutes (`autodisconnect`). */
const IDLE_MS = 15 * 60_000

export const firstState = (): SmbState => ({
  negotiated: undefined,
  isUpgraded: false,
  preauthHash: FIRST_PREAUTH_HASH,
  window: firstWindow(),
  sessions: new Map(),
  waiting: new Map(),
  lastNumber: 1,
  discard: 0,
})

export function smbSession(config: SmbConfig): SessionDefinition<SmbState, SmbFrame> {
  return {
    limits: { frameBytes: MAX_MESSAGE_BYTES + 4, idleMs: IDLE_MS },
    decode: (bytes, { discard }) => decodeFrame(bytes, discard),
    open: () => ({ state: firstState() }),
    step(state, frame, context) {
      switch (frame.kind) {
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
