// From a frame of one or several requests to the frames that answer it ([MS-SMB2] 3.3.4.1 and 3.3.5.2.7).
import type { DecoyEvent, SessionContext, Step } from '../../../../session/session.ts'
import { fail } from '../../protocol/call.ts'
import type { Call, Finished, Outcome } from './call.ts'
import { splitCompound, type Message } from '../../protocol/codec/compound.ts'
import { join } from '../../../../windows/fields.ts'
import { writeFrame, type Answer } from '../../protocol/codec/frame.ts'
import { COMMAND, FLAG, HEADER_BYTES, type Header } from '../../protocol/codec/header.ts'
import { isError, STATUS } from '../../protocol/codec/status.ts'
import { windowAtNegotiation } from './commands/negotiate.ts'
import { cancel } from '../../protocol/waiting.ts'
import { consume, grant, chargeOf } from '../../protocol/credits.ts'
import { route } from './route.ts'
import type { Chain } from '../../protocol/state.ts'
import { sign } from '../../protocol/signing/sign.ts'
import { hashAnswer, hashRequest } from '../../protocol/preauth.ts'
import type { SmbConfig, SmbState, Windows } from './state.ts'

/** Requests of one compound; no client of Windows sends more than a few. */
const MAX_COMPOUNDED = 32
/** Bytes of the answer to one compound, behind which its other requests fail. */
const MAX_ANSWER_BYTES = 1024 * 1024 + 128 * 1024

interface Progress {
  readonly state: SmbState
  readonly chain: Chain | undefined
  readonly answers: readonly Answer[]
  /** Frames that answer requests which waited. */
  readonly finished: readonly Buffer[]
  readonly events: readonly DecoyEvent[]
}

/** The step that a frame leads to. A frame that breaks the protocol closes the connection, as Windows does. */
export function answerFrame(
  state: SmbState,
  frame: Buffer,
  config: SmbConfig,
  context: SessionContext,
): Step<SmbState> {
  const messages = splitCompound(frame, MAX_COMPOUNDED)
  if (!messages) return { state, close: 'reset' }
  let progress: Progress = { state, chain: undefined, answers: [], finished: [], events: [] }
  const isWellChained = hasOneStyle(messages)
  for (const [i, message] of messages.entries()) {
    const isRelated = i > 0 && (message.header.flags & FLAG.related) !== 0
    const before = isRelated ? progress : { ...progress, chain: undefined }
    const next = answerMessage(before, message, isWellChained, config, context)
    if (!next) return { state: progress.state, close: 'reset', events: progress.events }
    progress = next
  }
  const { answers, finished, events } = progress
  const frames = answers.length > 0 ? [writeFrame(answers, signer(progress.state)), ...finished] : finished
  return { state: progress.state, send: join(...frames), events }
}

/** The first request is related to none; the others all are, or none is ([MS-SMB2] 3.3.5.2.7). */
function hasOneStyle([first, ...others]: readonly Message[]): boolean {
  const isRelated = ({ header }: Message): boolean => (header.flags & FLAG.related) !== 0
  return (
    first !== undefined &&
    !isRelated(first) &&
    others.every((each) => isRelated(each) === isRelated(others[0]!))
  )
}

/** The progress behind one more message; undefined when the connection is to be closed. */
function answerMessage(
  before: Progress,
  { header, bytes }: Message,
  isWellChained: boolean,
  config: SmbConfig,
  context: SessionContext,
): Progress | undefined {
  if (header.flags & FLAG.response) return undefined
  if (header.command === COMMAND.cancel) {
    const { state, finished } = cancel<Windows>(before.state, header)
    return {
      ...before,
      state,
      finished: [...before.finished, ...finished.map((each) => finalAnswer(state, each))],
    }
  }
  const charge = chargeOf(before.state.negotiated, header.creditCharge)
  const window = consume(windowAtNegotiation(before.state, header.messageId), header.messageId, charge)
  if (!window) return undefined
  const machine = config.machine(context.derive)
  const call: Call = { config, machine, context, state: { ...before.state, window }, header, message: bytes }
  const isTooMuch =
    before.answers.reduce((sum, { body }) => sum + HEADER_BYTES + body.length, 0) > MAX_ANSWER_BYTES
  const refusal = isTooMuch
    ? STATUS.insufficientResources
    : isWellChained
      ? undefined
      : STATUS.invalidParameter
  const outcome: Outcome =
    refusal === undefined
      ? route({ ...call, state: hashRequest(call.state, header, bytes) }, before.chain)
      : fail(call, refusal)
  return outcome.closes ? undefined : proceed(before, call, outcome)
}

function proceed(before: Progress, { header }: Call, outcome: Outcome): Progress {
  const granted = grant(outcome.state.window, header.credits)
  const sessionId = outcome.sessionId ?? before.chain?.sessionId ?? header.sessionId
  const treeId = outcome.treeId ?? before.chain?.treeId ?? header.treeId
  const { asyncId = 0n } = outcome
  const answer: Answer = {
    header: {
      ...header,
      status: outcome.status,
      credits: granted.credits,
      flags: flagsOf(header, outcome),
      nextCommand: 0,
      asyncId,
      treeId,
      sessionId,
    },
    body: outcome.body,
  }
  const state = { ...hashAnswer(outcome, answer.header), window: granted.window }
  const fileId = outcome.fileId ?? before.chain?.fileId
  return {
    state,
    chain: { sessionId, treeId, fileId, failure: failureOf(before.chain, header, outcome) },
    answers: [...before.answers, answer],
    finished: [...before.finished, ...(outcome.finished ?? []).map((each) => finalAnswer(state, each))],
    events: [...before.events, ...(outcome.events ?? [])],
  }
}

/** Requests behind a CREATE that failed fail with its status ([MS-SMB2] 3.3.5.2.7.2). */
const failureOf = (chain: Chain | undefined, { command }: Header, { status }: Outcome): number | undefined =>
  command === COMMAND.create && isError(status) ? status : chain?.failure

/** Async and related are kept; signed says that the answer gets a signature, too. */
function flagsOf({ flags }: Header, { state, asyncId, status }: Outcome): number {
  const kept = flags & (FLAG.related | FLAG.signed)
  const isSigned = state.negotiated && status !== STATUS.pending ? kept : kept & ~FLAG.signed
  return FLAG.response | isSigned | (asyncId === undefined ? 0 : FLAG.async)
}

const SESSION_AT = 40
const FLAGS_AT = 16

/** Signs the answer to a signed request if its session has a key; else takes the mark off. */
const signer =
  ({ sessions, negotiated }: SmbState) =>
  (message: Buffer): void => {
    const flags = message.readUInt32LE(FLAGS_AT)
    if ((flags & FLAG.signed) === 0) return
    const session = sessions.get(message.readBigUInt64LE(SESSION_AT))
    if (negotiated && session?.login.identity && session.signingKey)
      sign(message, session.signingKey, negotiated.signing)
    else message.writeUInt32LE((flags & ~FLAG.signed) >>> 0, FLAGS_AT)
  }

/** The answer to a request that waited; its credits were granted before. */
function finalAnswer(state: SmbState, { asyncId, request, status, body }: Finished): Buffer {
  const header: Header = {
    creditCharge: 1,
    status,
    command: request.header.command,
    credits: 0,
    flags: FLAG.response | FLAG.async | (request.header.flags & FLAG.signed),
    nextCommand: 0,
    messageId: request.header.messageId,
    asyncId,
    processId: 0,
    treeId: 0,
    sessionId: request.sessionId,
  }
  return writeFrame([{ header, body }], signer(state))
}
