// Answers as frames: headers that repeat the request's, credits, padding within compounds, signatures.
import type { DecoyEvent } from '../../../../session/session.ts'
import { join } from '../../../../windows/fields.ts'
import { encodeFrame, writeMessage } from '../../protocol/codec/frame.ts'
import { COMMAND, FLAG, writeHeader, type Header } from '../../protocol/codec/header.ts'
import { STATUS } from '../../protocol/codec/status.ts'
import { sign, SIGNATURE_AT } from '../../protocol/signing/sign.ts'
import type { Finished, Outcome } from './call.ts'
import type { Chain } from '../../protocol/state.ts'
import type { SambaState } from './state.ts'
import { chargeOf } from '../../protocol/credits.ts'

/** What a client may hold, and how far apart ids may lie. */
export const MAX_CREDITS = 8_192

export interface Answer {
  readonly header: Header
  readonly signature: Buffer
  readonly outcome: Outcome
}

/** How far the requests of a frame are answered. */
export interface Progress {
  readonly state: SambaState
  readonly chain: Chain | undefined
  readonly answers: readonly Answer[]
  /** Credits that the answers so far have earned, and not said yet. */
  readonly credits: number
  readonly frames: readonly Buffer[]
  readonly events: readonly DecoyEvent[]
  /** A request waits, and those of its compound behind it. */
  readonly isParked?: boolean
}

export const newProgress = (state: SambaState): Progress => ({
  state,
  chain: undefined,
  answers: [],
  credits: 0,
  frames: [],
  events: [],
})

/** How many credits an answer earns. */
export function creditsFor(state: SambaState, header: Header, status: number): number {
  const charge = chargeOf(state.negotiated, header.creditCharge)
  const most =
    header.command === COMMAND.negotiate ||
    (header.command === COMMAND.sessionSetup && status !== STATUS.success)
      ? 0
      : MAX_CREDITS
  const { low, high, used } = state.window
  const held = Number(high - low) - used.size
  return Math.min(charge + Math.min(Math.max(header.credits - 1, 0), most), MAX_CREDITS - held)
}

export const grant = (state: SambaState, credits: number): SambaState => ({
  ...state,
  window: { ...state.window, high: state.window.high + BigInt(credits) },
})

/** An error's body, whose last byte is an exclamation mark. */
const INTERIM_BODY = Buffer.from('090000000000000021', 'hex')

/** Word that the answer follows. */
export function interimFrame(header: Header, asyncId: bigint, credits: number): Buffer {
  const interim: Header = {
    ...header,
    creditCharge: 0,
    status: STATUS.pending,
    credits,
    flags: FLAG.response | FLAG.async,
    nextCommand: 0,
    asyncId,
  }
  return encodeFrame(join(writeHeader(interim), INTERIM_BODY))
}

/** In a compound every answer, the last too, fills up to this. */
const COMPOUND_UNIT = 8

/** The answers so far as one frame; the last of them grants the credits of all. */
export function flush(progress: Progress, isCompound: boolean): Progress {
  const { answers, credits, state } = progress
  if (answers.length === 0) return progress
  const parts = answers.map(({ header, signature, outcome }, i) => {
    const isLast = i === answers.length - 1
    const message = writeMessage(
      { ...header, credits: isLast ? credits : 0 },
      outcome.body,
      isCompound ? COMPOUND_UNIT : 1,
    )
    if (!isLast) message.writeUInt32LE(message.length, 20)
    signature.copy(message, SIGNATURE_AT)
    return signed(state, message)
  })
  return { ...progress, answers: [], credits: 0, frames: [...progress.frames, encodeFrame(join(...parts))] }
}

const FLAGS_AT = 16
const SESSION_AT = 40

/** Signs the answer to a signed request of a session that has a key. */
function signed(state: SambaState, message: Buffer): Buffer {
  const isSigned = (message.readUInt32LE(FLAGS_AT) & FLAG.signed) !== 0
  const key = isSigned ? state.sessions.get(message.readBigUInt64LE(SESSION_AT))?.signingKey : undefined
  return state.negotiated && key ? sign(message, key, state.negotiated.signing) : message
}

/** Of the answer to a request that waited; its credits were granted before. */
export const laterHeader = ({ asyncId, request, status }: Finished): Header => ({
  ...request.header,
  status,
  credits: 0,
  flags: (request.header.flags | FLAG.response | FLAG.async) >>> 0,
  nextCommand: 0,
  asyncId,
})

export const laterFrame = (state: SambaState, finished: Finished): Buffer =>
  encodeFrame(signed(state, writeMessage(laterHeader(finished), finished.body)))
