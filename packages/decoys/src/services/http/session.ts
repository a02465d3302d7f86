// A web server with the pages of a skin: every request raises an event.
import { byteCollector, type ByteCollector } from '@rookery/kernel/byte-collector.ts'
import { sessionRunner } from '../../session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../session.ts'
import type { TlsFailure, TlsServer } from '../../tls-server.ts'
import { requestEvent, silentEvent } from './request-event.ts'
import {
  expectsContinue,
  type BodyPart,
  type BodyProgress,
  type BrokenRequest,
  type Frame,
  type RequestHead,
} from './request.ts'
import { CONTINUE, type HttpResponse } from './response.ts'
import { servers } from './servers/servers.ts'
import type { Awaited, Seat, Site, WebServer } from './servers/web-server.ts'
import type { Skin } from './skin.ts'

export interface HttpSettings {
  /** The product in the Server field; empty: that of the skin's server. */
  readonly banner: string
  readonly skin: Skin
  /** Further header fields of every response. */
  readonly headers: Readonly<Record<string, string>>
  /** Every connection begins with its handshake. */
  readonly tls?: (context: SessionContext) => TlsServer
  /** Every request is redirected to TLS at this port. */
  readonly redirectPort?: number | undefined
}

/** Changed in place: a body may come in thousands of parts. */
interface State {
  /** Requests that this connection may still make. */
  requestsLeft: number
  readonly openedAt: number
  /** The request whose body is being received. */
  head: RequestHead | undefined
  body: BodyProgress
  /** Of its body. */
  parts: ByteCollector
  bytes: number
  awaited: Awaited
  /** When what is awaited is given up, in milliseconds UTC. */
  dueAt: number
  /** Where a connection waits for a worker of its server. */
  readonly seat: Seat | undefined
  isHeld: boolean
  /** What came before there was one. */
  held: Frame | undefined
  /** Its handshake waits for one, too. */
  isBeforeTls: boolean
  /** The request whose body is being dropped is answered, and the connection closes behind it. */
  closesBehindBody: boolean
  /** The head is neither answered nor refused yet. */
  isPending: boolean
  /** A request was answered, or refused. */
  hasRequest: boolean
  /** The peer sent something to a port of TLS that was no handshake. */
  isTlsRefused: boolean
}

/** What the settings make of every response. */
interface Setup {
  readonly server: WebServer
  readonly product: string
  readonly extraFields: string
  readonly skin: Skin
  readonly scheme: 'http' | 'https'
  readonly redirectPort: number | undefined
}

/** In place of the status of a response. */
const UNANSWERED = 0
const LF = 10
/** An answer that the body does not change waits so long for it: the event tells what was posted. */
export const BODY_WAIT_MS = 5

export function httpSession({ banner, skin, headers, tls, redirectPort }: HttpSettings): SessionRunner {
  const extraFields = Object.entries(headers)
    .map(([name, value]) => `${stripControls(name)}: ${stripControls(value)}\r\n`)
    .join('')
  const server = servers[skin.server]
  const { limits } = server
  const product = banner || server.product
  const scheme = tls ? 'https' : 'http'
  const setup: Setup = { server, product, extraFields, skin, scheme, redirectPort }

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

/** What it does while its server has no worker for what has come, or once the server has ended the connection. */
function withoutWorker(state: State, now: number): Step<State> | undefined {
  const { seat } = state
  if (seat?.status === 'ended') return { state, close: 'end' }
  if (seat?.status !== 'waiting') return undefined
  state.isHeld = true
  // The server counts its time from the first worker on.
  state.dueAt = Infinity
  return { ...untilDue(state, now), holds: true }
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

/** Until what is awaited is given up, or its server looks after its connections. */
function untilDue(state: State, now: number): Step<State> {
  const wakeMs = Math.min(state.dueAt - now, state.seat?.looksInMs(now) ?? Infinity)
  return { state, ...(wakeMs < Infinity && { wakeMs }) }
}

function headAwaited({ awaited, openedAt }: State, bytes: Buffer, now: number): Awaited {
  const hasLine = bytes.includes(LF)
  if (awaited.name === 'head') return { ...awaited, hasLine }
  return { name: 'head', since: now, hasLine, ...(awaited.name === 'first-byte' && { openedAt }) }
}

/** Gives the connection up when what it waits for has not come in time. */
function waiting({ server }: Pick<Setup, 'server'>, state: State, bytes: number, now: number): Step<State> {
  if (state.awaited.name === 'rest-of-body') return { state }
  state.dueAt = now + server.patienceMs(state.awaited, bytes, now)
  return untilDue(state, now)
}

const firstState = (requestsLeft: number, openedAt: number, seat: Seat | undefined): State => ({
  requestsLeft,
  openedAt,
  head: undefined,
  body: undefined,
  parts: byteCollector(),
  bytes: 0,
  awaited: { name: 'first-byte' },
  dueAt: Infinity,
  seat,
  isHeld: false,
  held: undefined,
  isBeforeTls: false,
  closesBehindBody: false,
  isPending: false,
  hasRequest: false,
  isTlsRefused: false,
})

/** By Bird: its web server answers on both ports, and goes on counting under new settings. */
const rangesCounts = new WeakMap<SessionContext['derive'], number>()

function countRanges(bird: SessionContext['derive']): number {
  const count = (rangesCounts.get(bird) ?? 0) + 1
  rangesCounts.set(bird, count)
  return count
}

const siteOf = (
  { skin, product, scheme, redirectPort }: Setup,
  { dst, now, derive }: SessionContext,
): Site => ({
  skin,
  server: product,
  scheme,
  redirectPort,
  name: dst.host,
  port: String(dst.port),
  now: now(),
  rangesCount: () => countRanges(derive),
  ownBoundary: () => derive('http boundary of ranges', 8).toString('hex').replace(/^0+/, ''),
})

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

function startNext(state: State, awaited: Awaited): void {
  Object.assign(state, {
    head: undefined,
    body: undefined,
    parts: byteCollector(),
    bytes: 0,
    awaited,
    hasRequest: true,
  })
}

/** A whole request: the response of the site, and the event that it raises. */
function onRequest(setup: Setup, state: State, context: SessionContext): Step<State> {
  const { step, head, closes } = answer(setup, state, context)
  startNext(state, { name: 'next' })
  if (head.version === '0.9' || closes) return closing(step, context)
  state.seat?.keep(context.now())
  return { ...waiting(setup, state, 0, context.now()), ...step }
}

/** Its worker is free again, while the close waits for the peer's. */
function closing(step: Step<State>, { now }: SessionContext): Step<State> {
  step.state.seat?.leave(now())
  return { ...step, close: 'end' }
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

function answer(
  setup: Setup,
  state: State,
  context: SessionContext,
): { readonly step: Step<State>; readonly head: RequestHead; readonly closes: boolean } {
  const { server, product, extraFields } = setup
  const head = state.head!
  state.isPending = false
  const body = state.parts.bytes()
  const hadBody = state.body !== undefined
  const response = server.respond(head, siteOf(setup, context))
  const events = [eventOf(setup, head, body, response.status)]
  if (head.version === '0.9')
    return { step: { state, events, send: response.body ?? '' }, head, closes: true }
  state.requestsLeft -= 1
  const requestsLeft = state.seat?.isLast() ? 0 : state.requestsLeft
  const { closes, fields } = server.connection({ head, response, hadBody, requestsLeft })
  const envelope = { server: product, extraFields, connection: fields, now: context.now() }
  return { step: { state, events, send: server.serialize(response, envelope) }, head, closes }
}

/** A request that cannot be served: an error page, then the close. Of one that was answered before: the close alone. */
function refuse(setup: Setup, state: State, refusal: BrokenRequest, context: SessionContext): Step<State> {
  if (state.awaited.name === 'unused-body') return { state, close: 'end' }
  const { server, product, extraFields } = setup
  const response = server.refuse(refusal, state, siteOf(setup, context))
  const head = state.head ?? headOfLine(refusal)
  const events = [eventOf(setup, head, state.parts.bytes(), response.status)]
  state.isPending = false
  state.hasRequest = true
  return closing({ state, events, send: page(response) }, context)

  function page(written: HttpResponse): Buffer | string {
    if (refusal.isBare) return written.body ?? ''
    const connection = 'Connection: close\r\n'
    return server.serialize(written, { server: product, extraFields, connection, now: context.now() })
  }
}

/** A request that is not encrypted may have a page that is not; OpenSSL's alert has answered anything else. */
function refuseTls(
  setup: Setup,
  state: State,
  { firstBytes }: TlsFailure,
  context: SessionContext,
): Step<State> {
  const { tls } = setup.server
  state.isTlsRefused = firstBytes.length > 0
  const text = firstBytes.toString('latin1')
  const refusal = tls.refuse(text)
  if (refusal) return refuse(setup, state, refusal, context)
  return { state, close: text.length > tls.mostReadBytes ? 'reset' : 'end' }
}

function eventOf({ skin, scheme }: Setup, head: RequestHead, body: Buffer, status: number): DecoyEvent {
  const { logtype, fields } = requestEvent(head, body, status, skin)
  return { logtype, fields: scheme === 'https' ? { ...fields, CHANNEL: 'TLS' } : fields }
}

function headOfLine({ line, headers = new Map<string, string>() }: BrokenRequest): RequestHead {
  const [method = '', target = ''] = line.split(' ')
  return { method, target, version: '1.1', headers, body: { kind: 'none', length: 0 } }
}

const stripControls = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, '')
