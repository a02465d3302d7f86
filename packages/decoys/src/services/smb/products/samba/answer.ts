// From a frame of one or several requests to the frames that answer it, as Samba does it.
import type { DecoyEvent, SessionContext, Step } from '../../../../session.ts'
import { join } from '../../../../windows/fields.ts'
import { DIALECT } from '../../codec/dialect.ts'
import { encodeFrame } from '../../codec/frame.ts'
import { COMMAND, FLAG, HEADER_BYTES, readHeader, writeHeader, type Header } from '../../codec/header.ts'
import { STATUS } from '../../codec/status.ts'
import { consume, type CreditWindow } from '../../credits.ts'
import { preauthHash } from '../../signing/sign.ts'
import type { Call, Finished, Outcome } from './call.ts'
import { fail } from './call.ts'
import { route, type Chain } from './route.ts'
import { sign } from './signing.ts'
import { MAX_WAITING, withSession, type SambaConfig, type SambaState } from './state.ts'
import { cancel } from './waiting.ts'

/** Requests of one compound; no client sends more than a few. */
const MOST_COMPOUNDED = 64
/** Bytes of the answer to one compound, behind which its other requests fail. */
const MOST_ANSWER_BYTES = 9 * 1024 * 1024
/** What a client may hold, and how far apart ids may lie. */
const MAX_CREDITS = 8_192

interface Message {
  readonly header: Header
  readonly bytes: Buffer
  /** Copied to the answer, as the rest of the header. */
  readonly signature: Buffer
}

/** Each begins where the one before says, and has a body of two bytes at least; undefined when one of them is none. */
function split(frame: Buffer): readonly Message[] | undefined {
  const messages: Message[] = []
  for (let rest = frame; rest.length > 0;) {
    const header = rest.length >= HEADER_BYTES + 2 ? readHeader(rest) : undefined
    if (!header || messages.length === MOST_COMPOUNDED) return undefined
    const { nextCommand } = header
    if (nextCommand !== 0 && (nextCommand < HEADER_BYTES + 2 || nextCommand > rest.length)) return undefined
    const bytes = nextCommand === 0 ? rest : rest.subarray(0, nextCommand)
    if (bytes.readUInt16LE(HEADER_BYTES) < 2) return undefined
    messages.push({ header, bytes, signature: bytes.subarray(48, HEADER_BYTES) })
    if (nextCommand === 0) return messages
    rest = rest.subarray(nextCommand)
  }
  return messages.length > 0 ? messages : undefined
}

interface Answer {
  readonly header: Header
  readonly signature: Buffer
  readonly outcome: Outcome
}

interface Progress {
  readonly state: SambaState
  readonly chain: Chain | undefined
  readonly answers: readonly Answer[]
  /** Credits that the answers so far have earned, and not said yet. */
  readonly credits: number
  readonly frames: readonly Buffer[]
  readonly events: readonly DecoyEvent[]
}

/** The step that a frame leads to. A frame that breaks the protocol closes the connection. */
export function answerFrame(
  state: SambaState,
  frame: Buffer,
  config: SambaConfig,
  context: SessionContext,
): Step<SambaState> {
  const messages = split(frame)
  const window = messages && windowBehind(state, messages)
  if (!messages || !window) return { state, close: 'close' }
  let progress: Progress = {
    state: { ...state, window },
    chain: undefined,
    answers: [],
    credits: 0,
    frames: [],
    events: [],
  }
  for (const [i, message] of messages.entries()) {
    const next = answerMessage(progress, message, { config, context, isLast: i === messages.length - 1 })
    if (!next) return { state: progress.state, close: 'close', events: progress.events }
    progress = next
  }
  const { answers, frames, events } = flush(progress, messages.length > 1)
  return { state: answers.length === 0 ? progress.state : progress.state, send: join(...frames), events }
}

/** All ids of a frame are looked at before its first request is answered. */
function windowBehind(state: SambaState, messages: readonly Message[]): CreditWindow | undefined {
  const isLarge = state.negotiated !== undefined && state.negotiated.dialect !== DIALECT.v202
  let window: CreditWindow | undefined = state.window
  for (const { header } of messages) {
    if (header.command === COMMAND.cancel) continue
    const charge = isLarge ? Math.max(1, header.creditCharge) : 1
    window = window && consume(window, header.messageId, charge, MAX_CREDITS)
  }
  return window
}

interface Surroundings {
  readonly config: SambaConfig
  readonly context: SessionContext
  readonly isLast: boolean
}

/** The progress behind one more message; undefined when the connection is to be closed. */
function answerMessage(
  before: Progress,
  { header, bytes, signature }: Message,
  { config, context, isLast }: Surroundings,
): Progress | undefined {
  const isRelated = (header.flags & FLAG.related) !== 0
  if (header.command === COMMAND.cancel && before.state.negotiated) {
    const { state, finished } = cancel(before.state, header)
    return {
      ...before,
      state,
      frames: [...before.frames, ...finished.map((each) => finalFrame(state, each))],
    }
  }
  const machine = config.machine(context.derive)
  const call: Call = {
    config,
    machine,
    context,
    state: withPreauthHash(before.state, header, bytes),
    header,
    message: bytes,
  }
  const isTooMuch =
    before.answers.reduce((sum, { outcome }) => sum + outcome.body.length, 0) > MOST_ANSWER_BYTES
  const outcome = isTooMuch
    ? fail(call, STATUS.insufficientResources)
    : route(call, isRelated ? before.chain : undefined)
  if (outcome.closes) return undefined
  const chain = chainBehind(before.chain, header, outcome, isRelated)
  const { waits } = outcome
  if (waits)
    return isLast
      ? waitFor({ ...before, chain }, call, outcome, waits)
      : proceed({ ...before, chain }, call, fail(call, STATUS.cancelled), signature)
  return proceed({ ...before, chain }, call, outcome, signature)
}

/** NEGOTIATE and its answer begin the hash of the connection. */
const withPreauthHash = (state: SambaState, { command }: Header, bytes: Buffer): SambaState =>
  command === COMMAND.negotiate && !state.negotiated
    ? { ...state, preauthHash: preauthHash(state.preauthHash, bytes) }
    : state

function chainBehind(chain: Chain | undefined, header: Header, outcome: Outcome, isRelated: boolean): Chain {
  const { command } = header
  const isCreate = command === COMMAND.create
  const known = isRelated ? chain : undefined
  const isFailure = outcome.status >= 0xc0000000
  return {
    sessionId: outcome.sessionId ?? known?.sessionId ?? (isRelated ? 0n : header.sessionId),
    treeId:
      outcome.treeId ??
      (isRelated
        ? (known?.treeId ?? 0)
        : command >= COMMAND.treeDisconnect && command !== COMMAND.echo
          ? header.treeId
          : 0),
    fileId: outcome.fileId ?? known?.fileId,
    failure: isCreate ? (isFailure && !outcome.isUnread ? outcome.status : undefined) : known?.failure,
  }
}

/** How many credits an answer earns. */
function creditsFor(state: SambaState, header: Header, status: number): number {
  const isLarge = state.negotiated !== undefined && state.negotiated.dialect !== DIALECT.v202
  const charge = isLarge ? Math.max(1, header.creditCharge) : 1
  const most =
    header.command === COMMAND.negotiate ||
    (header.command === COMMAND.sessionSetup && status !== STATUS.success)
      ? 0
      : MAX_CREDITS
  const { low, high, used } = state.window
  const held = Number(high - low) - used.size
  return Math.min(charge + Math.min(Math.max(header.credits - 1, 0), most), MAX_CREDITS - held)
}

const grant = (state: SambaState, credits: number): SambaState => ({
  ...state,
  window: { ...state.window, high: state.window.high + BigInt(credits) },
})

function proceed(before: Progress, { header }: Call, outcome: Outcome, signature: Buffer): Progress {
  // The answer to a request that is marked as asynchronous grants nothing.
  const earned = header.flags & FLAG.async ? 0 : creditsFor(outcome.state, header, outcome.status)
  const answer: Answer = {
    header: {
      ...header,
      status: outcome.status,
      credits: 0,
      flags: (header.flags | FLAG.response) >>> 0,
      nextCommand: 0,
      treeId: outcome.treeId ?? header.treeId,
      sessionId: outcome.sessionId ?? header.sessionId,
    },
    signature,
    outcome,
  }
  const credits = before.credits + earned
  const state = grant(hashed(outcome, { ...answer.header, credits }), earned)
  const done = (list: readonly Finished[] = []): Buffer[] => list.map((each) => finalFrame(state, each))
  const ahead = done(outcome.finishedBefore)
  const behind = done(outcome.finished)
  const next: Progress = {
    ...before,
    state,
    credits,
    answers: [...before.answers, answer],
    frames: [...before.frames, ...ahead],
    events: [...before.events, ...(outcome.events ?? [])],
  }
  return behind.length === 0
    ? next
    : {
        ...flush(next, next.answers.length > 1),
        frames: [...flush(next, next.answers.length > 1).frames, ...behind],
      }
}

/** What was answered so far goes out; then word that the answer to this request follows. */
function waitFor(
  before: Progress,
  call: Call,
  outcome: Outcome,
  waits: NonNullable<Outcome['waits']>,
): Progress {
  const { header } = call
  if (outcome.state.waiting.size >= MAX_WAITING)
    return proceed(before, call, fail(call, STATUS.insufficientResources), Buffer.alloc(16))
  const sent = flush(before, before.answers.length > 1)
  const asyncId = outcome.state.lastAsync + 1n
  const sessionId = before.chain?.sessionId ?? header.sessionId
  const treeId = before.chain?.treeId ?? header.treeId
  const waiting = new Map(outcome.state.waiting).set(asyncId, {
    sessionId,
    treeId,
    header,
    fileId: (outcome.fileId ?? Buffer.alloc(0)).toString('hex'),
    for: waits,
  })
  const credits = creditsFor(outcome.state, header, STATUS.pending)
  const state = grant({ ...outcome.state, waiting, lastAsync: asyncId }, credits)
  const interim: Header = {
    ...header,
    creditCharge: 0,
    status: STATUS.pending,
    credits,
    flags: FLAG.response | FLAG.async,
    nextCommand: 0,
    asyncId,
  }
  const frame = encodeFrame(join(writeHeader(interim), INTERIM_BODY))
  return {
    ...sent,
    state,
    frames: [...sent.frames, frame],
    events: [...sent.events, ...(outcome.events ?? [])],
  }
}

/** An error's body, whose last byte is an exclamation mark. */
const INTERIM_BODY = Buffer.from('090000000000000021', 'hex')

/** Answers that the preauthentication hash of 3.1.1 covers. */
function hashed({ state, body, hashesAnswer }: Outcome, header: Header): SambaState {
  if (!hashesAnswer) return state
  const message = whole(header, body)
  if (header.command === COMMAND.negotiate)
    return { ...state, preauthHash: preauthHash(state.preauthHash, message) }
  const session = state.sessions.get(header.sessionId)
  return session
    ? withSession(state, { ...session, preauthHash: preauthHash(session.preauthHash, message) })
    : state
}

function whole(header: Header, body: Outcome['body'], unit = 1): Buffer {
  const length = Math.ceil((HEADER_BYTES + body.length) / unit) * unit
  const message = Buffer.alloc(length)
  writeHeader(header).copy(message)
  body.copy(message, HEADER_BYTES)
  return message
}

/** In a compound every answer, the last too, fills up to this. */
const COMPOUND_UNIT = 8

/** The answers so far as one frame; the last of them grants the credits of all. */
function flush(progress: Progress, isCompound: boolean): Progress {
  const { answers, credits, state } = progress
  if (answers.length === 0) return progress
  const parts = answers.map(({ header, signature, outcome }, i) => {
    const isLast = i === answers.length - 1
    const message = whole(
      { ...header, credits: isLast ? credits : 0 },
      outcome.body,
      isCompound ? COMPOUND_UNIT : 1,
    )
    if (!isLast) message.writeUInt32LE(message.length, 20)
    signature.copy(message, 48)
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
  return state.negotiated && key ? sign(message, key, state.negotiated) : message
}

/** The answer to a request that waited; its credits were granted before. */
function finalFrame(state: SambaState, { asyncId, request, status, body }: Finished): Buffer {
  const header: Header = {
    ...request.header,
    status,
    credits: 0,
    flags: (request.header.flags | FLAG.response | FLAG.async) >>> 0,
    nextCommand: 0,
    asyncId,
  }
  return encodeFrame(signed(state, whole(header, body)))
}
