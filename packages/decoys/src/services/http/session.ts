// An Apache that serves the login page of some device; every request is an event.
import { sessionRunner } from '../../session-runner.ts'
import type { SessionContext, SessionRunner, Step } from '../../session.ts'
import { badRequest, errorPage, spell, type Answer } from './answer.ts'
import { BODY_MAX, decode, type Frame, type Head, type Reading } from './codec.ts'
import { eventOf } from './event.ts'
import { visit } from './site.ts'
import type { Skin } from './skin.ts'

export interface HttpSettings {
  /** The product, as it stands in the Server field. */
  readonly banner: string
  readonly skin: Skin
  /** Further fields of every answer. */
  readonly headers: Readonly<Record<string, string>>
}

interface State {
  /** Requests that this connection still has. */
  left: number
  reading: Reading
  head: Head | undefined
  pieces: Buffer[]
  bytes: number
  /** Silences since the last request. */
  silences: number
}

const MOST_REQUESTS = 100
const EMPTY = Buffer.alloc(0)
/** Silences of 5 s that a request may last. */
const PATIENCE = 4
/** After these Apache closes. */
const FATAL = new Set([400, 408, 411, 413, 414, 500, 501, 503])

export function http(settings: HttpSettings): SessionRunner {
  const server = settings.banner
  const extra = Object.entries(settings.headers)
    .map(([name, value]) => `${clean(name)}: ${clean(value)}\r\n`)
    .join('')

  return sessionRunner<State, Frame>({
    limits: { frameBytes: BODY_MAX + 64 * 1024, idleMs: 5_000 },
    decode: (bytes, { reading }) => decode(bytes, reading),
    open: () => ({
      state: { left: MOST_REQUESTS, reading: undefined, head: undefined, pieces: [], bytes: 0, silences: 0 },
    }),
    step(state, frame, context) {
      if ('status' in frame) return refuse(state, frame, context)
      if ('head' in frame) return begin(state, frame.head, context)
      state.bytes += frame.piece.length
      if (state.bytes > BODY_MAX) return refuse(state, { status: 413, line: '' }, context)
      // Copied, so that a small piece does not hold the whole chunk it came in.
      state.pieces.push(Buffer.from(frame.piece))
      if (state.reading?.kind === 'length')
        state.reading = { kind: 'length', left: state.reading.left - frame.piece.length }
      return frame.isLast ? finish(state, context) : { state }
    },
    // Between requests Apache waits 5 s and closes without a word; for one that was begun, or the first, 20 s.
    idle(state, context) {
      state.silences += 1
      const isAwaited = state.head !== undefined || state.left === MOST_REQUESTS
      if (isAwaited && state.silences < PATIENCE) return { state }
      return state.head ? refuse(state, { status: 408, line: '' }, context) : { state, close: 'end' }
    },
  })

  function begin(state: State, head: Head, context: SessionContext): Step<State> {
    state.head = head
    if (head.body.kind === 'none') return finish(state, context)
    if (head.body.length > BODY_MAX) return refuse(state, { status: 413, line: '' }, context)
    state.reading =
      head.body.kind === 'chunked' ? { kind: 'chunked' } : { kind: 'length', left: head.body.length }
    const expects = /^100-continue$/i.test(head.headers.get('expect') ?? '')
    return expects && head.version === '1.1' ? { state, send: 'HTTP/1.1 100 Continue\r\n\r\n' } : { state }
  }

  function finish(state: State, context: SessionContext): Step<State> {
    const head = state.head!
    const body = state.pieces.length > 1 ? Buffer.concat(state.pieces) : (state.pieces[0] ?? EMPTY)
    const hadBody = state.reading !== undefined
    Object.assign(state, { reading: undefined, head: undefined, pieces: [], bytes: 0, silences: 0 })
    const now = context.now()
    const boundary = (): string => context.random(8).toString('hex')
    const answer = visit(head, { skin: settings.skin, server, name: context.dst.host, now, boundary })
    const events = [eventOf(head, body, answer.status, settings.skin)]
    if (head.version === '0.9') return { state, events, send: answer.body ?? '', close: 'end' }
    const asked = (head.headers.get('connection') ?? '').toLowerCase().split(/\s*,\s*/)
    state.left -= 1
    // A body that is not awaited would be taken for the next request.
    const isUnread = !hadBody && head.headers.has('expect')
    const wantsClose =
      FATAL.has(answer.status) ||
      isUnread ||
      state.left <= 0 ||
      asked.includes('close') ||
      (head.version === '1.0' && !asked.includes('keep-alive'))
    const connection = wantsClose
      ? answer.status === 417
        ? ''
        : 'Connection: close\r\n'
      : asked.includes('keep-alive')
        ? `Keep-Alive: timeout=5, max=${state.left + 1}\r\nConnection: Keep-Alive\r\n`
        : ''
    const send = spell(answer, { server, extra, connection, now })
    return wantsClose ? { state, events, send, close: 'end' } : { state, events, send }
  }

  /** A request that cannot be understood: an error page, and the end. */
  function refuse(
    state: State,
    frame: { status: number; note?: string; line: string },
    context: SessionContext,
  ): Step<State> {
    const { status, note, line } = frame
    const [method = '', target = ''] = line.split(' ')
    const page: Answer = errorPage(status, text(status, note), {
      server,
      name: context.dst.host,
      port: '80',
    })
    const answer: Answer = method === 'HEAD' ? { status, type: page.type! } : page
    const head = state.head ?? {
      method,
      target,
      version: '1.1',
      headers: new Map<string, string>(),
      body: { kind: 'none', length: 0 },
    }
    const body = Buffer.concat(state.pieces)
    const send = spell(answer, { server, extra, connection: 'Connection: close\r\n', now: context.now() })
    return { state, events: [eventOf(head, body, status, settings.skin)], send, close: 'end' }
  }
}

const clean = (text: string): string => text.replace(/[\x00-\x1f\x7f]/g, '')

function text(status: number, note: string | undefined): string {
  if (status === 414)
    return "<p>The requested URL's length exceeds the capacity\nlimit for this server.<br />\n</p>\n"
  if (status === 408) return '<p>Server timeout waiting for the HTTP request from the client.</p>\n'
  if (status === 413) {
    return '<p>The requested resource does not allow request data with the requested method, or the amount of data provided in\nthe request exceeds the capacity limit.</p>\n'
  }
  return badRequest(note)
}
