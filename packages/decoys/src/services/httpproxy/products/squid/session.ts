// Squid that wants a password of everyone: whatever can be forwarded is a 407, and nothing is forwarded.
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import type { BodyProgress } from '../../../http/protocol/request.ts'
import { requestEvent } from '../../protocol/request-event.ts'
import { bodyOf, decode, UNKNOWN_VERSION, type Frame, type Head } from './codec.ts'
import { contentLength, hasWord, NO_FIELDS, repeated, type Fields } from './fields.ts'
import { NO_FACTS, type Facts } from './pages.ts'
import { IDLE_MS, MAX_HEAD_BYTES, REQUEST_MS } from './profile.ts'
import { response, type Server } from './response.ts'
import { isForwarded, isInternal, readTarget } from './uri.ts'
import type { PageName } from './words.data.ts'

interface State {
  /** What is still to come of a request's body: it is read and dropped. */
  readonly body: BodyProgress
  /** It looks whether the client has ended before it takes the next request, which then has no answer. */
  readonly isLooking?: true
}

const LOOK_MS = 2

interface Refusal {
  readonly status: number
  readonly name: PageName
  readonly facts: Facts
}

export interface SquidSettings {
  readonly banner: string
  readonly port: number
  readonly hostName: (context: SessionContext) => string
}

export function squidSession({ banner, port, hostName }: SquidSettings): SessionRunner {
  const serverOf = (context: SessionContext): Server => ({ banner, port, hostName: hostName(context) })
  return sessionRunner<State, Frame>({
    // The line that is too long is answered once it is.
    limits: { frameBytes: 2 * MAX_HEAD_BYTES, idleMs: REQUEST_MS },
    decode: (bytes, { body }) => decode(bytes, body),
    open: () => ({ state: { body: undefined }, wakeMs: REQUEST_MS }),
    step(state, frame, context) {
      if (frame === 'broken-chunk') return { state, close: 'reset' }
      if ('bodyLeft' in frame) return { state: { body: frame.bodyLeft } }
      if ('head' in frame) return answer(frame.head, serverOf(context), context)
      const { broken, isHead } = frame
      return { state, ...refuse(BROKEN[broken], NO_FIELDS, isHead, false, serverOf(context), context) }
    },
    wake: ({ body, isLooking }) =>
      isLooking ? { state: { body }, holds: false, wakeMs: IDLE_MS } : { state: { body }, close: 'end' },
    idle: (state) => ({ state, close: 'end' }),
  })
}

const TOO_LARGE = { ...NO_FACTS, url: 'error:request-too-large' }

const BROKEN: Readonly<Record<'no-request' | 'long-line' | 'long-head', Refusal>> = {
  'no-request': { status: 400, name: 'ERR_PROTOCOL_UNKNOWN', facts: NO_FACTS },
  'long-line': { status: 414, name: 'ERR_TOO_BIG', facts: TOO_LARGE },
  'long-head': { status: 431, name: 'ERR_TOO_BIG', facts: TOO_LARGE },
}

function answer(head: Head, server: Server, context: SessionContext): Step<State> {
  const { method, target, fields = NO_FIELDS } = head
  const events = [requestEvent(target, fields.byName)]
  const refusal = refusalOf(head, server)
  if (head.isBodyBroken && refusal.status === 407)
    return { state: { body: undefined }, events, close: 'reset' }
  const isKept = refusal.status === 407 && isPersistent(head.version, fields)
  return {
    state: { body: isKept ? bodyOf(head) : undefined, isLooking: true },
    events,
    // The language is chosen once the fields are read.
    ...refuse(
      refusal,
      refusal.facts.request === NO_FACTS.request ? NO_FIELDS : fields,
      method === 'HEAD',
      isKept,
      server,
      context,
    ),
    holds: true,
    wakeMs: LOOK_MS,
  }
}

const refuse = (
  { status, name, facts }: Refusal,
  fields: Fields,
  isHead: boolean,
  isKept: boolean,
  server: Server,
  { now }: SessionContext,
): Pick<Step<State>, 'send' | 'close'> => ({
  send: response({ status, name, facts, fields, isHead, isKept, now: now() }, server),
  ...(!isKept && { close: 'end' as const }),
})

/** In the order in which squid looks. */
function refusalOf(head: Head, { hostName, port }: Server): Refusal {
  const { method, target, version, fields, isTargetBroken } = head
  if (isTargetBroken) return { status: 400, name: 'ERR_INVALID_REQ', facts: NO_FACTS }
  const proxy = `http://${hostName}:${port}`
  const raw = { ...NO_FACTS, url: isInternal(target) ? proxy + target : target }
  const hasHost = fields?.byName.has('host') ?? false
  const uri = readTarget(method, target, { proxy, hasHost })
  if (!uri) return { status: 400, name: 'ERR_INVALID_URL', facts: raw }
  if (version === UNKNOWN_VERSION) return { status: 505, name: 'ERR_UNSUP_HTTPVERSION', facts: raw }
  if (!fields) return { status: 400, name: 'ERR_INVALID_REQ', facts: raw }
  const { byName } = fields
  const isUnmet = (byName.get('expect')?.toLowerCase() ?? '100-continue') !== '100-continue'
  // It looks at what is expected before it has noted the version.
  const request = `${method} ${uri.path} HTTP/${isUnmet ? '1.1' : version}\r\n${repeated(fields, uri.host)}\r\n`
  const whole: Facts = { url: uri.whole, method, scheme: uri.scheme, request }
  if (isUnmet) return { status: 417, name: 'ERR_INVALID_REQ', facts: whole }
  const isForUs = method === 'OPTIONS' && /^0+$/.test(byName.get('max-forwards') ?? '')
  const facts = { ...whole, url: uri.shown }
  if (isForUs || !isForwarded(method, uri)) return { status: 501, name: 'ERR_UNSUP_REQ', facts }
  const framing = framingStatus(method, byName)
  if (framing === 501) return { status: 501, name: 'ERR_UNSUP_REQ', facts }
  if (framing === 411) return { status: 411, name: 'ERR_INVALID_REQ', facts: whole }
  return { status: 407, name: 'ERR_CACHE_ACCESS_DENIED', facts }
}

/** Codings that it does not know, and lengths that are none or that no such request has. */
function framingStatus(method: string, byName: Fields['byName']): 411 | 501 | undefined {
  const coding = byName.get('transfer-encoding')?.toLowerCase()
  if (coding !== undefined) return coding === 'chunked' ? undefined : 501
  const value = byName.get('content-length')
  const length = value === undefined ? 0 : contentLength(value)
  return length === undefined || (length > 0 && /^(?:GET|HEAD)$/.test(method)) ? 411 : undefined
}

function isPersistent(version: Head['version'], fields: Fields): boolean {
  const name = fields.byName.has('connection') ? 'connection' : 'proxy-connection'
  const says = (word: string): boolean => hasWord(fields, name, word)
  return version > '1.0' ? !says('close') : version === '1.0' && says('keep-alive')
}
