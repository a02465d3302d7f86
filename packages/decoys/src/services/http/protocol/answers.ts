// What the session of a web server answers, with the event of each answer.
import { pageCounts } from '../../../machine/page-counts.ts'
import type { DecoyEvent, SessionContext, Step } from '../../../session/session.ts'
import type { TlsFailure } from '../../../session/tls-server.ts'
import { waiting } from './patience.ts'
import { requestEvent } from './request-event.ts'
import type { BrokenRequest, RequestHead } from './request.ts'
import type { HttpResponse } from './response.ts'
import type { Site, WebServer } from './web-server.ts'
import type { State } from './session-state.ts'
import type { Skin } from './skin.ts'

/** What the settings make of every response. */
export interface Setup {
  readonly server: WebServer
  readonly product: string
  readonly extraFields: string
  readonly skin: Skin
  readonly realmOf: ((derive: SessionContext['derive']) => string) | undefined
  readonly scheme: 'http' | 'https'
  readonly redirectPort: number | undefined
}

/** In place of the status of a response. */
export const UNANSWERED = 0
/** By Bird: its web server answers on both ports, and goes on counting under new settings. */
const rangesCounts = new WeakMap<SessionContext['derive'], number>()

function countRanges(bird: SessionContext['derive']): number {
  const count = (rangesCounts.get(bird) ?? 0) + 1
  rangesCounts.set(bird, count)
  return count
}

export const siteOf = (
  { skin, realmOf, product, scheme, redirectPort }: Setup,
  { dst, now, derive }: SessionContext,
): Site => ({
  skin: realmOf && skin.realm !== undefined ? { ...skin, realm: realmOf(derive) } : skin,
  server: product,
  scheme,
  redirectPort,
  name: dst.host,
  port: String(dst.port),
  now: now(),
  rangesCount: () => countRanges(derive),
  ownBoundary: () => derive('http boundary of ranges', 8).toString('hex').replace(/^0+/, ''),
  pageCounts: () => pageCounts(derive, now()),
})

/** Its worker is free again, while the close waits for the peer's. */
export function closing(step: Step<State>, { now }: SessionContext): Step<State> {
  step.state.seat?.leave(now())
  return { ...step, close: 'end' }
}

export function answer(
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
export function refuse(
  setup: Setup,
  state: State,
  refusal: BrokenRequest,
  context: SessionContext,
): Step<State> {
  if (state.awaited.name === 'unused-body') return { state, close: 'end' }
  const { server, product, extraFields } = setup
  const response = server.refuse(refusal, state, siteOf(setup, context))
  const head = state.head ?? headOfLine(refusal)
  const events = [eventOf(setup, head, state.parts.bytes(), response.status)]
  state.isPending = false
  state.hasRequest = true
  const step = { state, events, send: page(response) }
  if (!refusal.restOfBody) return closing(step, context)
  state.body = refusal.restOfBody
  state.awaited = { name: 'unused-body', since: context.now() }
  state.closesBehindBody = true
  return { ...waiting(setup, state, 0, context.now()), ...step }

  function page(written: HttpResponse): Buffer | string {
    if (refusal.isBare) return written.body ?? ''
    const connection = 'Connection: close\r\n'
    return server.serialize(written, { server: product, extraFields, connection, now: context.now() })
  }
}

/** A request that is not encrypted may have a page that is not; OpenSSL's alert has answered anything else. */
export function refuseTls(
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

export function eventOf(
  { skin, scheme }: Setup,
  head: RequestHead,
  body: Buffer,
  status: number,
): DecoyEvent {
  const { logtype, fields } = requestEvent(head, body, status, skin)
  return { logtype, fields: scheme === 'https' ? { ...fields, CHANNEL: 'TLS' } : fields }
}

function headOfLine({ line, headers = new Map<string, string>() }: BrokenRequest): RequestHead {
  const [method = '', target = ''] = line.split(' ')
  return { method, target, version: '1.1', headers, body: { kind: 'none', length: 0 } }
}
