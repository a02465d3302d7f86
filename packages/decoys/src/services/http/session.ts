// Apache with the login page of a device: every request raises an event.
import { sessionRunner } from '../../session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../session.ts'
import type { TlsFailure, TlsServer } from '../../tls-server.ts'
import { decode, MAX_BODY_BYTES, type BodyProgress, type Frame, type RequestHead } from './codec.ts'
import { patienceMs, type Awaited } from './deadlines.ts'
import { requestEvent, silentEvent } from './request-event.ts'
import { badRequestText, errorPage, escapeHtml, reasonOf, serialize, type HttpResponse } from './response.ts'
import { authorityOf, isAnsweredEarly, respond, statusBeforeBody } from './site.ts'
import type { Skin } from './skin.ts'

export interface HttpSettings {
  /** The product in the Server field. */
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
  /** The request whose body is being received. */
  head: RequestHead | undefined
  body: BodyProgress
  parts: Buffer[]
  bytes: number
  awaited: Awaited
  /** A request was answered, or refused. */
  hasRequest: boolean
  /** The peer sent something to a port of TLS that was no handshake. */
  isTlsRefused: boolean
}

/** What the settings make of every response. */
interface Server {
  readonly banner: string
  readonly extraFields: string
  readonly skin: Skin
  readonly scheme: 'http' | 'https'
  readonly redirectPort: number | undefined
}

/** Apache's MaxKeepAliveRequests. */
const MAX_REQUESTS = 100
const EMPTY = Buffer.alloc(0)
/** Apache's Timeout: for a peer that does not read its answers. */
const IDLE_MS = 300_000
/** Apache closes after these. */
const CLOSING_STATUSES = new Set([400, 408, 411, 413, 414, 417, 500, 501, 503])

export function httpSession({ banner, skin, headers, tls, redirectPort }: HttpSettings): SessionRunner {
  const extraFields = Object.entries(headers)
    .map(([name, value]) => `${stripControls(name)}: ${stripControls(value)}\r\n`)
    .join('')
  const server: Server = { banner, extraFields, skin, scheme: tls ? 'https' : 'http', redirectPort }

  return sessionRunner<State, Frame>({
    limits: { frameBytes: MAX_BODY_BYTES + 64 * 1024, idleMs: IDLE_MS },
    decode: (bytes, { body }) => decode(bytes, body, server.scheme),
    open: (context) =>
      tls ? { state: firstState(), tls: tls(context) } : waiting(firstState(), 0, context.now()),
    secured(state, { now }) {
      state.awaited = { name: 'head', since: now(), hasLine: false }
      return waiting(state, 0, now())
    },
    tlsFailed: (state, failure, context) => refuseTls(server, state, failure, context),
    closed: (state, context) =>
      (context.tls || state.isTlsRefused) && !state.hasRequest ? [silentEvent(skin, context)] : [],
    step(state, frame, context) {
      if ('status' in frame) return refuse(server, state, frame, context)
      if ('head' in frame) return onHead(server, state, frame.head, context)
      return onBodyPart(server, state, frame, context)
    },
    partial(state, bytes, { now }) {
      if (state.head) return waiting(state, state.bytes + bytes.length, now())
      const since = state.awaited.name === 'head' ? state.awaited.since : now()
      state.awaited = { name: 'head', since, hasLine: bytes.includes(LF) }
      return waiting(state, bytes.length, now())
    },
    // Without a request line Apache closes silently.
    wake(state, context) {
      const isRequest =
        state.awaited.name === 'body' || (state.awaited.name === 'head' && state.awaited.hasLine)
      return isRequest ? refuse(server, state, { status: 408, line: '' }, context) : { state, close: 'end' }
    },
  })
}

const LF = 10

/** Gives the connection up when what it waits for has not come in time. */
const waiting = (state: State, bytes: number, now: number): Step<State> => ({
  state,
  wakeMs: patienceMs(state.awaited, bytes, now),
})

const firstState = (): State => ({
  requestsLeft: MAX_REQUESTS,
  head: undefined,
  body: undefined,
  parts: [],
  bytes: 0,
  awaited: { name: 'first-byte' },
  hasRequest: false,
  isTlsRefused: false,
})

function onHead(server: Server, state: State, head: RequestHead, context: SessionContext): Step<State> {
  state.head = head
  const { kind, length } = head.body
  if (kind === 'none') return onRequest(server, state, head, context)
  const expectsContinue = head.version === '1.1' && /^100-continue$/i.test(head.headers.get('expect') ?? '')
  if (isAnsweredEarly(head, server, expectsContinue)) return onRequest(server, state, head, context)
  if (length > MAX_BODY_BYTES) return refuse(server, state, { status: 413, line: '' }, context)
  state.body = kind === 'chunked' ? { kind } : { kind, left: length }
  state.awaited = { name: 'body', since: context.now() }
  const step = waiting(state, 0, context.now())
  return expectsContinue ? { ...step, send: 'HTTP/1.1 100 Continue\r\n\r\n' } : step
}

function onBodyPart(
  server: Server,
  state: State,
  { bodyPart, isLast }: Extract<Frame, { bodyPart: Buffer }>,
  context: SessionContext,
): Step<State> {
  state.bytes += bodyPart.length
  if (state.bytes > MAX_BODY_BYTES) return refuse(server, state, { status: 413, line: '' }, context)
  // Copied, so that a small part does not keep its whole segment in memory.
  state.parts.push(Buffer.from(bodyPart))
  if (state.body?.kind === 'length') {
    state.body = { kind: 'length', left: state.body.left - bodyPart.length }
  }
  if (isLast) return onRequest(server, state, state.head!, context)
  return waiting(state, state.bytes, context.now())
}

/** A whole request: the response of the site, and the event that it raises. */
function onRequest(server: Server, state: State, head: RequestHead, context: SessionContext): Step<State> {
  const body = state.parts.length > 1 ? Buffer.concat(state.parts) : (state.parts[0] ?? EMPTY)
  const hadBody = state.body !== undefined
  Object.assign(state, {
    head: undefined,
    body: undefined,
    parts: [],
    bytes: 0,
    awaited: { name: 'next' },
    hasRequest: true,
  })
  const now = context.now()
  const boundary = (): string => context.random(8).toString('hex')
  const { banner, extraFields, skin, scheme, redirectPort } = server
  const response = respond(head, {
    skin,
    server: banner,
    scheme,
    redirectPort,
    name: context.dst.host,
    port: String(context.dst.port),
    now,
    boundary,
  })
  const events = [eventOf(server, head, body, response.status)]
  if (head.version === '0.9') return { state, events, send: response.body ?? '', close: 'end' }
  state.requestsLeft -= 1
  const closes = closesAfter(head, hadBody, response.status, state.requestsLeft)
  const connection = connectionFields(head, response.status, closes, state.requestsLeft)
  const send = serialize(response, { server: banner, extraFields, connection, now })
  return closes ? { state, events, send, close: 'end' } : { ...waiting(state, 0, now), events, send }
}

const connectionOptions = ({ headers }: RequestHead): readonly string[] =>
  (headers.get('connection') ?? '').toLowerCase().split(/\s*,\s*/)

function closesAfter(head: RequestHead, hadBody: boolean, status: number, requestsLeft: number): boolean {
  const options = connectionOptions(head)
  // After a final answer to `Expect` the client may still send the body, which would be read as the next request.
  const mayLeaveBody = !hadBody && head.headers.has('expect')
  return (
    CLOSING_STATUSES.has(status) ||
    head.body.isContradictory === true ||
    mayLeaveBody ||
    requestsLeft <= 0 ||
    options.includes('close') ||
    (head.version === '1.0' && !options.includes('keep-alive'))
  )
}

function connectionFields(head: RequestHead, status: number, closes: boolean, requestsLeft: number): string {
  if (closes)
    return status === 417 && head.version !== '1.0' && !connectionOptions(head).includes('close')
      ? ''
      : 'Connection: close\r\n'
  if (!connectionOptions(head).includes('keep-alive')) return ''
  return `Keep-Alive: timeout=5, max=${requestsLeft + 1}\r\nConnection: Keep-Alive\r\n`
}

interface Refusal extends Omit<Extract<Frame, { status: number }>, 'status'> {
  readonly status: number
  /** The text of the page, if it is not that of the status. */
  readonly html?: string
}

/** A request that cannot be served: an error page, then the close. */
function refuse(
  server: Server,
  state: State,
  { status, note, line, name, port, isLineBroken = false, hasLength = false, html }: Refusal,
  context: SessionContext,
): Step<State> {
  const { banner, extraFields } = server
  const [method = '', target = ''] = line.split(' ')
  const own = { name: name ?? context.dst.host, port: port ?? String(context.dst.port) }
  const signature = { server: banner, ...(state.head ? authorityOf(state.head, own, server.scheme) : own) }
  const asked = state.head?.method ?? method
  const isTrace = state.body?.kind === 'chunked' && asked === 'TRACE'
  const reason = note ?? (isTrace && statusBeforeBody(state.head!, server) === 405 ? TRACE_DENIED : undefined)
  const page = errorPage(
    status,
    html ?? refusalText(status, asked, reason) + firstErrorText(server, state, status),
    signature,
  )
  // A broken body is met while the answer is on its way: its length is not known.
  const isLengthKnown = hasLength || state.body?.kind !== 'chunked' || status === 408
  const response: HttpResponse =
    asked === 'HEAD' && !isLineBroken ? { status, type: page.type! } : { ...page, hasLength: isLengthKnown }
  const head = state.head ?? headOfLine(method, target)
  const events = [eventOf(server, head, Buffer.concat(state.parts), status)]
  state.hasRequest = true
  const connection = 'Connection: close\r\n'
  const send = serialize(response, { server: banner, extraFields, connection, now: context.now() })
  return { state, events, send, close: 'end' }
}

/** To a request that is not encrypted Apache answers without encryption; to anything else OpenSSL's alert is the answer. */
function refuseTls(
  server: Server,
  state: State,
  { firstBytes }: TlsFailure,
  context: SessionContext,
): Step<State> {
  state.isTlsRefused = true
  const text = firstBytes.toString('latin1')
  if (!PLAIN_REQUEST.test(text)) return { state, close: text.length > MOST_READ_BYTES ? 'reset' : 'end' }
  const line = /^[^\r\n]*/.exec(text)![0]
  return refuse(server, state, { status: 400, html: PLAIN_HTTP, line, isLineBroken: true }, context)
}

/** mod_ssl reads so much for the first record: what the peer sent besides turns the close into a reset. */
const MOST_READ_BYTES = 8_192
/** What OpenSSL 3.0 takes for HTTP. */
const PLAIN_REQUEST = /^(?:GET .|POST |HEAD |PUT .)/s
const PLAIN_HTTP =
  "<p>Your browser sent a request that this server could not understand.<br />\nReason: You're speaking plain HTTP to an SSL-enabled server port.<br />\n Instead use the HTTPS scheme to access this URL, please.<br />\n</p>\n"

function eventOf({ skin, scheme }: Server, head: RequestHead, body: Buffer, status: number): DecoyEvent {
  const { logtype, fields } = requestEvent(head, body, status, skin)
  return { logtype, fields: scheme === 'https' ? { ...fields, CHANNEL: 'TLS' } : fields }
}

const headOfLine = (method: string, target: string): RequestHead => ({
  method,
  target,
  version: '1.1',
  headers: new Map<string, string>(),
  body: { kind: 'none', length: 0 },
})

const TRACE_DENIED = 'TRACE denied by server configuration'

const stripControls = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, '')

/** A chunk is broken in the body of a request that was refused before: the page names both. */
function firstErrorText(server: Server, { head, body }: State, status: number): string {
  if (!head || (status !== 400 && status !== 413) || body?.kind !== 'chunked') return ''
  const first = statusBeforeBody(head, server)
  if (first === undefined) return ''
  return `<p>Additionally, a ${first} ${reasonOf(first)}\nerror was encountered while trying to use an ErrorDocument to handle the request.</p>\n`
}

function refusalText(status: number, method: string, note: string | undefined): string {
  if (status === 414)
    return "<p>The requested URL's length exceeds the capacity\nlimit for this server.<br />\n</p>\n"
  if (status === 408) return '<p>Server timeout waiting for the HTTP request from the client.</p>\n'
  if (status === 413) {
    return `The requested resource does not allow request data with ${escapeHtml(method)} requests, or the amount of data provided in\nthe request exceeds the capacity limit.\n`
  }
  return badRequestText(note)
}
