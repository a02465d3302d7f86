// A web server with the pages of a skin: every request raises an event.
import { byteCollector } from '@rookery/kernel/byte-collector.ts'
import { sessionRunner } from '../../../session/session-runner.ts'
import type { SessionContext, SessionRunner, Step } from '../../../session/session.ts'
import type { TlsServer } from '../../../session/tls-server.ts'
import { answer, closing, eventOf, refuse, refuseTls, siteOf, UNANSWERED, type Setup } from './answers.ts'
import { headAwaited, untilDue, waiting, withoutWorker } from './patience.ts'
import { silentEvent } from './request-event.ts'
import { expectsContinue, type BodyPart, type Frame, type RequestHead } from './request.ts'
import { CONTINUE } from './response.ts'
import type { WebServer } from './web-server.ts'
import { firstState, startNext, type State } from './session-state.ts'
import type { Skin } from './skin.ts'

export interface HttpSettings {
  /** The product in the Server field; empty: that of the skin's server. */
  readonly banner: string
  readonly skin: Skin
  /** What a skin with a realm asks a name for, where it is not the skin's own. */
  readonly realmOf?: Setup['realmOf']
  /** The one that shows the skin. */
  readonly server: WebServer
  /** Further header fields of every response. */
  readonly headers: Readonly<Record<string, string>>
  /** Every connection begins with its handshake. */
  readonly tls?: (context: SessionContext) => TlsServer
  /** Every request is redirected to TLS at this port. */
  readonly redirectPort?: number | undefined
}

/** An answer that the body does not change waits so long for it: the event tells what was posted. */
export const BODY_WAIT_MS = 5

export function httpSession({
  banner,
  skin,
  realmOf,
  server,
  headers,
  tls,
  redirectPort,
}: HttpSettings): SessionRunner {
  const extraFields = Object.entries(headers)
    .map(([name, value]) => `${stripControls(name)}: ${stripControls(value)}\r\n`)
    .join('')
  const { limits } = server
  const product = banner || server.product
  const scheme = tls ? 'https' : 'http'
  const setup: Setup = { server, product, extraFields, skin, realmOf, scheme, redirectPort }

  return sessionRunner<State, Frame>({
    limits: { frameBytes: limits.bodyBytes + 64 * 1024, idleMs: limits.idleMs },
    decode: (bytes, { body, hasRequest, isBeforeTls }) =>
      isBeforeTls ? undefined : server.decode(bytes, body, scheme, hasRequest),
    open(context) {
      const state = firstState(limits.requests, context.now(), server.takeSeat?.(context))
      if (!tls) return waiting(setup, state, 0, context.now())
      if (!state.seat) return { state, tls: tls(context) }
      state.isBeforeTls = true
      return { state }
    },
    secured(state, { now }) {
      state.awaited = { name: 'head', since: now(), openedAt: now(), hasLine: false }
      return waiting(setup, state, 0, now())
    },
    tlsFailed: (state, failure, context) => refuseTls(setup, state, failure, context),
    ended(state, unread, context) {
      if (state.held) return onFrame(setup, state, state.held, context)
      const refusal = server.cutOff?.(state.awaited, unread, scheme)
      if (refusal) return refuse(setup, state, refusal, context)
      return state.awaited.name === 'rest-of-body' ? answerBeforeBody(setup, state, context) : undefined
    },
    closed(state, context) {
      state.seat?.leave(context.now())
      if (state.held && 'head' in state.held)
        return [eventOf(setup, state.held.head, Buffer.alloc(0), UNANSWERED)]
      if (state.head && state.isPending) return [eventOf(setup, state.head, state.parts.bytes(), UNANSWERED)]
      return (context.tls || state.isTlsRefused) && !state.hasRequest ? [silentEvent(skin, context)] : []
    },
    keptBytes: ({ parts }) => parts.bytes().length,
    step(state, frame, context) {
      state.seat?.work(context.now())
      const held = withoutWorker(state, context.now())
      if (!held) return onFrame(setup, state, frame, context)
      state.held = frame
      return held
    },
    partial(state, bytes, context) {
      const { now } = context
      state.seat?.work(now())
      const held = withoutWorker(state, now())
      if (!state.head && !state.isBeforeTls) state.awaited = headAwaited(state, bytes, now())
      if (held) return held
      if (state.isBeforeTls && tls) return beginTls(state, tls(context))
      if (state.head) return waiting(setup, state, state.bytes + bytes.length, now())
      return waiting(setup, state, bytes.length, now())
    },
    wake(state, context) {
      const { seat } = state
      const now = context.now()
      seat?.look(now)
      const still = withoutWorker(state, now)
      if (still) return still
      if (state.isHeld) return { ...goOn(setup, state, context, tls), holds: false }
      // It was woken for what has changed since.
      if (seat && now < state.dueAt) return untilDue(state, now)
      if (state.awaited.name === 'rest-of-body') return answerBeforeBody(setup, state, context)
      const refusal = server.timeOut(state.awaited)
      return refusal ? refuse(setup, state, refusal, context) : { state, close: server.timeOutClose ?? 'end' }
    },
  })
}

function onFrame(setup: Setup, state: State, frame: Frame, context: SessionContext): Step<State> {
  if ('status' in frame) return refuse(setup, state, frame, context)
  if ('head' in frame) return onHead(setup, state, frame.head, context)
  return onBodyPart(setup, state, frame, context)
}

/** There is a worker now for what has come. */
function goOn(setup: Setup, state: State, context: SessionContext, tls: HttpSettings['tls']): Step<State> {
  const { held, awaited } = state
  state.isHeld = false
  state.held = undefined
  if (held) return onFrame(setup, state, held, context)
  if (state.isBeforeTls && tls) return beginTls(state, tls(context))
  if (awaited.name === 'head') state.awaited = { ...awaited, since: context.now() }
  return waiting(setup, state, 0, context.now())
}

function beginTls(state: State, tls: TlsServer): Step<State> {
  state.isBeforeTls = false
  return { state, tls }
}

function onHead(setup: Setup, state: State, head: RequestHead, context: SessionContext): Step<State> {
  state.head = head
  state.isPending = true
  const { kind, length } = head.body
  if (kind === 'none') return onRequest(setup, state, context)
  const plan = setup.server.bodyPlan(head, siteOf(setup, context))
  if (plan === 'leave') return onRequest(setup, state, context)
  if (typeof plan === 'object') return refuse(setup, state, plan, context)
  state.body = kind === 'chunked' ? { kind } : { kind, left: length }
  if (plan === 'discard' || plan === 'peek') {
    state.awaited = { name: 'rest-of-body', isLeft: plan === 'peek' }
    return { state, wakeMs: BODY_WAIT_MS }
  }
  state.awaited = { name: 'body', since: context.now() }
  const step = waiting(setup, state, 0, context.now())
  return expectsContinue(head) ? { ...step, send: CONTINUE } : step
}

function onBodyPart(setup: Setup, state: State, part: BodyPart, context: SessionContext): Step<State> {
  const { bodyPart, isLast, chunkLeft } = part
  const isUnused = state.awaited.name === 'unused-body'
  state.bytes += bodyPart.length
  if (state.body?.kind === 'length') state.body = { kind: 'length', left: state.body.left - bodyPart.length }
  if (state.body?.kind === 'chunked')
    state.body = { kind: 'chunked', ...(chunkLeft !== undefined && { left: chunkLeft }) }
  if (isUnused && isLast) return endUnusedBody(setup, state, context)
  if (!isUnused) {
    const { bodyBytes, mostBodyBytes = bodyBytes } = setup.server.limits
    if (state.bytes > mostBodyBytes) {
      if (state.awaited.name === 'rest-of-body') return answerBeforeBody(setup, state, context)
      return refuse(setup, state, { status: 413, line: '' }, context)
    }
    if (state.bytes <= bodyBytes) state.parts.add(bodyPart)
    if (isLast) return onRequest(setup, state, context)
  }
  return waiting(setup, state, state.bytes, context.now())
}

/** The request is answered; now its body has come to its end, too. */
function endUnusedBody(setup: Setup, state: State, { now }: SessionContext): Step<State> {
  if (state.closesBehindBody) return { state, close: 'end' }
  startNext(state, { name: 'next' })
  return waiting(setup, state, 0, now())
}

/** A whole request: the response of the site, and the event that it raises. */
function onRequest(setup: Setup, state: State, context: SessionContext): Step<State> {
  const { step, head, closes } = answer(setup, state, context)
  startNext(state, { name: 'next' })
  if (head.version === '0.9' || closes) return closing(step, context)
  state.seat?.keep(context.now())
  return { ...waiting(setup, state, 0, context.now()), ...step }
}

/** The body does not come: the answer goes out without it, and what comes of it is dropped, or never read. */
function answerBeforeBody(setup: Setup, state: State, context: SessionContext): Step<State> {
  const isLeft = state.awaited.name === 'rest-of-body' && state.awaited.isLeft
  const { step, closes } = answer(setup, state, context)
  if (isLeft) return closing(step, context)
  Object.assign(state, {
    parts: byteCollector(),
    awaited: { name: 'unused-body', since: context.now() },
    hasRequest: true,
  })
  state.closesBehindBody = closes
  return { ...waiting(setup, state, 0, context.now()), ...step }
}

const stripControls = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, '')
