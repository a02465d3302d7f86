// From a frame of one or several requests to the frames that answer it, as Samba does it.
import type { SessionContext, Step } from '../../../../session/session.ts'
import { join, zeros } from '../../../../windows/fields.ts'
import { emptyBody, errorBody } from '../../protocol/codec/messages.ts'
import { COMMAND, FLAG, HEADER_BYTES, readHeader, type Header } from '../../protocol/codec/header.ts'
import { STATUS } from '../../protocol/codec/status.ts'
import { consume, chargeOf, type CreditWindow } from '../../protocol/credits.ts'
import { hashAnswer, hashRequest } from '../../protocol/preauth.ts'
import { MAX_WAITING, without, type Chain } from '../../protocol/state.ts'
import { fail } from '../../protocol/call.ts'
import type { Call, Finished, Outcome } from './call.ts'
import {
  creditsFor,
  flush,
  grant,
  interimFrame,
  laterFrame,
  laterHeader,
  MAX_CREDITS,
  newProgress,
  type Answer,
  type Progress,
} from './frames.ts'
import { expire, nextExpiry } from './locking/breaks.ts'
import { takeOutbox, waitOnlyFor } from './locking/locking.ts'
import { takeWaiting } from './commands/locks.ts'
import { route } from './route.ts'
import type { Again, PendingRequest, SambaConfig, SambaState } from './state.ts'
import { cancel } from '../../protocol/waiting.ts'
import type { Message } from '../../protocol/codec/compound.ts'
import { SIGNATURE_AT } from '../../protocol/signing/sign.ts'

/** Requests of one compound; no client sends more than a few. */
const MAX_COMPOUNDED = 64
/** Bytes of the answer to one compound, behind which its other requests fail. */
const MAX_ANSWER_BYTES = 9 * 1024 * 1024

/** Each begins where the one before says, and has a body of two bytes at least; undefined when one of them is none. */
function split(frame: Buffer): readonly Message[] | undefined {
  const messages: Message[] = []
  for (let rest = frame; rest.length > 0;) {
    const header = rest.length >= HEADER_BYTES + 2 ? readHeader(rest) : undefined
    if (!header || messages.length === MAX_COMPOUNDED) return undefined
    const { nextCommand } = header
    if (nextCommand !== 0 && (nextCommand < HEADER_BYTES + 2 || nextCommand > rest.length)) return undefined
    const bytes = nextCommand === 0 ? rest : rest.subarray(0, nextCommand)
    if (bytes.readUInt16LE(HEADER_BYTES) < 2) return undefined
    messages.push({ header, bytes })
    if (nextCommand === 0) return messages
    rest = rest.subarray(nextCommand)
  }
  return messages.length > 0 ? messages : undefined
}

interface Surroundings {
  readonly config: SambaConfig
  readonly context: SessionContext
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
  const about = { config, context }
  const { progress, isBroken } = answerMessages(newProgress({ ...state, window }), messages, about)
  if (isBroken) return { state: progress.state, close: 'close', events: progress.events }
  return stepTo(settle(flush(progress, messages.length > 1), about), about)
}

/** Another connection, or time, may have ended what requests wait for. */
export function tryAgain(state: SambaState, config: SambaConfig, context: SessionContext): Step<SambaState> {
  const about = { config, context }
  for (const file of [...state.connection.waitsFor]) expire(config.locking, file, context.now())
  return stepTo(settle(newProgress(state), about), about)
}

function stepTo({ state, frames, events }: Progress, { config, context }: Surroundings): Step<SambaState> {
  const { connection } = state
  if (connection.waitsFor.size > 0)
    waitOnlyFor(
      config.locking,
      connection,
      [...state.waiting.values()].flatMap((request) => ('file' in request.for ? [request.for.file] : [])),
    )
  const expiresAt = Math.min(...[...connection.waitsFor].map(nextExpiry))
  const send = join(...frames, ...takeOutbox(connection))
  return {
    state,
    send,
    events,
    ...(expiresAt < Infinity && { wakeMs: Math.max(1, expiresAt - context.now()) }),
  }
}

/** All ids of a frame are looked at before its first request is answered. */
function windowBehind(state: SambaState, messages: readonly Message[]): CreditWindow | undefined {
  let window: CreditWindow | undefined = state.window
  for (const { header } of messages) {
    if (header.command === COMMAND.cancel) continue
    const charge = chargeOf(state.negotiated, header.creditCharge)
    window = window && consume(window, header.messageId, charge, MAX_CREDITS)
  }
  return window
}

/** Answers them in order, as far as the first that keeps those behind it waiting, or that closes the connection. */
function answerMessages(
  before: Progress,
  messages: readonly Message[],
  about: Surroundings,
): { readonly progress: Progress; readonly isBroken: boolean } {
  let progress = before
  for (const [i, message] of messages.entries()) {
    const next = answerMessage(progress, message, messages.slice(i + 1), about)
    if (!next) return { progress, isBroken: true }
    progress = next
    if (progress.isParked) return { progress: { ...progress, isParked: false }, isBroken: false }
  }
  return { progress, isBroken: false }
}

/** The progress behind one more message; undefined when the connection is to be closed. */
function answerMessage(
  before: Progress,
  message: Message,
  behind: readonly Message[],
  about: Surroundings,
): Progress | undefined {
  const { header, bytes } = message
  const isRelated = (header.flags & FLAG.related) !== 0
  if (header.command === COMMAND.cancel && before.state.negotiated) {
    const { state, finished } = cancel(before.state, header)
    return finishAll({ ...before, state }, finished, about)
  }
  const call: Call = {
    ...about,
    machine: about.config.machine(about.context.derive),
    state: hashRequest(before.state, header, bytes),
    header,
    message: bytes,
  }
  const isTooMuch =
    before.answers.reduce((sum, { outcome }) => sum + outcome.body.length, 0) > MAX_ANSWER_BYTES
  const outcome: Outcome = isTooMuch
    ? fail(call, STATUS.insufficientResources)
    : route(call, isRelated ? before.chain : undefined)
  if (outcome.closes) return undefined
  const chain = chainBehind(before.chain, header, outcome)
  const { waits } = outcome
  if (!waits) return proceed({ ...before, chain }, call, outcome)
  if (waits.kind === 'open')
    return waitFor({ ...before, chain }, call, outcome, waits, againOf(before.chain, bytes, behind))
  return behind.length === 0
    ? waitFor({ ...before, chain }, call, outcome, waits)
    : proceed({ ...before, chain }, call, fail(call, STATUS.cancelled))
}

/** Copied out of what was received. */
const againOf = (chain: Chain | undefined, bytes: Buffer, behind: readonly Message[]): Again => ({
  message: Buffer.from(bytes),
  chain,
  behind: behind.map(({ header, bytes: each }) => ({ header, bytes: Buffer.from(each) })),
})

function chainBehind(chain: Chain | undefined, header: Header, outcome: Outcome): Chain {
  const { command, flags } = header
  const isRelated = (flags & FLAG.related) !== 0
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

/** `signature`: the request's, which its answer repeats. */
function proceed(
  before: Progress,
  call: Call,
  outcome: Outcome,
  signature = call.message.subarray(SIGNATURE_AT, HEADER_BYTES),
): Progress {
  const { header } = call
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
  const state = grant(hashAnswer(outcome, { ...answer.header, credits }), earned)
  const ahead = finishAll({ ...before, state }, outcome.finishedBefore, call)
  const next: Progress = {
    ...ahead,
    credits,
    answers: [...before.answers, answer],
    events: [...ahead.events, ...(outcome.events ?? [])],
  }
  if (!outcome.finished?.length) return next
  return finishAll(flush(next, next.answers.length > 1), outcome.finished, call)
}

/** What was answered so far goes out; then breaks, and word that the answer to this request follows. */
function waitFor(
  before: Progress,
  call: Call,
  outcome: Outcome,
  waits: PendingRequest['for'],
  again?: Again,
): Progress {
  const { header } = call
  if (outcome.state.waiting.size >= MAX_WAITING)
    return proceed(before, call, fail(call, STATUS.insufficientResources), zeros(16))
  const sent = flush(before, true)
  const asyncId = outcome.state.lastAsync + 1n
  const waiting = new Map(outcome.state.waiting).set(asyncId, {
    sessionId: before.chain?.sessionId ?? header.sessionId,
    treeId: before.chain?.treeId ?? header.treeId,
    header,
    fileId: outcome.fileId ?? '',
    for: waits,
    again,
  })
  const credits = creditsFor(outcome.state, header, STATUS.pending)
  const state = grant({ ...outcome.state, waiting, lastAsync: asyncId }, credits)
  const breaks = takeOutbox(state.connection)
  return {
    ...sent,
    state,
    frames: [...sent.frames, ...breaks, interimFrame(header, asyncId, credits)],
    events: [...sent.events, ...(outcome.events ?? [])],
    isParked: again !== undefined,
  }
}

/** Tries what waits again, as long as a file that it waits for has changed. */
function settle(before: Progress, about: Surroundings): Progress {
  const { connection } = before.state
  let progress = before
  while (connection.isDue) {
    connection.isDue = false
    const unchanged = new Set([...connection.waitsFor].map(({ id }) => id))
    const due = [...progress.state.waiting].filter(
      ([, { for: reason }]) => 'file' in reason && !unchanged.has(reason.file),
    )
    for (const [asyncId, request] of due) progress = tryOne(progress, asyncId, request, about)
  }
  return progress
}

function tryOne(before: Progress, asyncId: bigint, request: PendingRequest, about: Surroundings): Progress {
  // It may have ended meanwhile, by what was done behind another one.
  if (!before.state.waiting.has(asyncId)) return before
  const state = { ...before.state, waiting: without(before.state.waiting, asyncId) }
  const { again, header } = request
  if (request.for.kind === 'lock') {
    const status = takeWaiting({ ...about, state }, request, request.for.lock)
    if (status === undefined) return before
    const body = status === STATUS.success ? emptyBody() : errorBody()
    return finish({ ...before, state }, { asyncId, request, status, body }, about)
  }
  if (!again) return before
  const machine = about.config.machine(about.context.derive)
  const call: Call = { ...about, machine, state, header, message: again.message, isAgain: true }
  const outcome = route(call, header.flags & FLAG.related ? again.chain : undefined)
  if (outcome.waits) return before
  const { status, body } = outcome
  return finish({ ...before, state: outcome.state }, { asyncId, request, status, body }, about, outcome)
}

const finishAll = (before: Progress, list: readonly Finished[] | undefined, about: Surroundings): Progress =>
  (list ?? []).reduce((progress, each) => finish(progress, each, about), before)

/** The answer to a request that waited, and to those of its compound that waited behind it. */
function finish(
  before: Progress,
  finished: Finished,
  { config, context }: Surroundings,
  outcome: Outcome = { state: before.state, status: finished.status, body: finished.body },
): Progress {
  const { header, again } = finished.request
  if (!again?.behind.length)
    return { ...before, frames: [...before.frames, laterFrame(before.state, finished)] }
  const first: Progress = {
    ...newProgress(before.state),
    chain: chainBehind(again.chain, header, outcome),
    answers: [{ header: laterHeader(finished), signature: zeros(16), outcome }],
  }
  const { progress } = answerMessages(first, again.behind, { config, context })
  const { state, frames, events } = flush(progress, true)
  return {
    ...before,
    state,
    frames: [...before.frames, ...frames],
    events: [...before.events, ...events],
  }
}
