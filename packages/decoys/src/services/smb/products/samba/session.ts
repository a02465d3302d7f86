// A Samba file server as a pure state machine: frames in, frames out. Nobody may write, and no password is right.
import type {
  Decoded,
  Incomplete,
  SessionContext,
  SessionDefinition,
  Step,
} from '../../../../session/session.ts'
import { firstWindow } from '../../protocol/credits.ts'
import { FIRST_PREAUTH_HASH } from '../../protocol/signing/sign.ts'
import { answerFrame, tryAgain } from './answer.ts'
import { answerNetbios, answerSmb1 } from './first-messages.ts'
import { leave, newConnection } from './locking/locking.ts'
import { keptBytes } from '../../protocol/kept-bytes.ts'
import type { Samba, SambaConfig, SambaState } from './state.ts'

/** `deadtime`: a connection without open files is given up after a week. */
const IDLE_MS = 10_080 * 60_000
/** Longest message that is kept whole. */
const MAX_MESSAGE_BYTES = 128 * 1024
const HEAD_BYTES = 4
/** Of a message whose rest is passed over: header, body, and what is looked at. */
const MAX_KEPT_BYTES = 64 + 48 + 16

export type Frame =
  | { readonly kind: 'message'; readonly message: Buffer; readonly rest: number }
  /** Of NetBIOS: its type and content. */
  | { readonly kind: 'netbios'; readonly type: number; readonly content: Buffer }
  | { readonly kind: 'discarded'; readonly bytes: number }

const firstState = (context: SessionContext): SambaState => ({
  connection: newConnection(context),
  isSmb2: false,
  hasNetbiosSession: false,
  negotiated: undefined,
  preauthHash: FIRST_PREAUTH_HASH,
  window: firstWindow(),
  sessions: new Map(),
  waiting: new Map(),
  lastAsync: 0n,
  discard: 0,
})

export function sambaSession(config: SambaConfig): SessionDefinition<SambaState, Frame> {
  return {
    limits: { frameBytes: MAX_MESSAGE_BYTES + HEAD_BYTES, idleMs: IDLE_MS },
    decode: decodeFrame,
    open: (context) => ({ state: firstState(context) }),
    keptBytes: bytesOf,
    wake: (state, context) => tryAgain(state, config, context),
    closed({ connection }) {
      leave(config.locking, connection)
      return []
    },
    step(state, frame, context) {
      switch (frame.kind) {
        case 'discarded':
          return { state: { ...state, discard: state.discard - frame.bytes } }
        case 'netbios':
          return state.isSmb2 ? { state } : answerNetbios(state, frame.type, frame.content)
        case 'message':
          return answerMessage({ ...state, discard: frame.rest }, frame.message, config, context)
      }
    },
  }
}

const answerMessage = (
  state: SambaState,
  message: Buffer,
  config: SambaConfig,
  context: SessionContext,
): Step<SambaState> =>
  state.isSmb2 || message.readUInt32BE(0) === 0xfe534d42
    ? answerFrame({ ...state, isSmb2: true }, message, config, context)
    : answerSmb1(state, message, config.machine(context.derive), context)

/** The length has 24 bits in SMB2, and 17 before. */
function decodeFrame(bytes: Buffer, { discard, isSmb2 }: SambaState): Decoded<Frame> | Incomplete {
  if (discard > 0) {
    const length = Math.min(bytes.length, discard)
    return length === 0 ? undefined : { frame: { kind: 'discarded', bytes: length }, length }
  }
  if (bytes.length < HEAD_BYTES) return undefined
  const length = isSmb2 ? bytes.readUIntBE(1, 3) : bytes.readUIntBE(1, 3) & 0x1ffff
  const whole = HEAD_BYTES + length
  const isLong = length > MAX_MESSAGE_BYTES
  const kept = isLong ? HEAD_BYTES + MAX_KEPT_BYTES : whole
  if (bytes.length < kept) return { atLeast: kept }
  const content = bytes.subarray(HEAD_BYTES, kept)
  const type = bytes[0]!
  const frame: Frame =
    type === 0 && length >= HEAD_BYTES
      ? { kind: 'message', message: content, rest: whole - kept }
      : type === 0
        ? { kind: 'message', message: Buffer.alloc(HEAD_BYTES), rest: 0 }
        : { kind: 'netbios', type, content }
  return { frame, length: kept }
}

function bytesOf(state: SambaState): number {
  let bytes = keptBytes<Samba>(state)
  for (const { again } of state.waiting.values())
    if (again)
      bytes += again.behind.reduce((sum, { bytes: { length } }) => sum + length, again.message.length)
  return bytes
}
