// Asterisk to strangers: whatever extension they name, they are asked for a password, and none is right.
import { readable } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import {
  decodeDatagram,
  decodeStream,
  MAX_HEAD_BYTES,
  valueOf,
  type Frame,
  type Request,
} from '../../protocol/message.ts'
import { CHALLENGED, IDLE_MS, MAX_DATAGRAM, MAX_HEADERS, MAX_VALUE, WITHIN_DIALOG } from './profile.ts'
import { response } from './response.ts'

export const sipByTcp: SessionRunner = sessionRunner<undefined, Frame>({
  limits: { frameBytes: 2 * MAX_HEAD_BYTES, idleMs: IDLE_MS },
  decode: decodeStream,
  open: () => ({ state: undefined }),
  step(state, frame, context) {
    if (frame === 'ping') return { state, send: '\r\n' }
    if (frame === 'drop') return { state }
    return { ...answer(frame, context), ...(hasTwoLengths(frame) && { close: 'end' as const }) }
  },
  idle: (state) => ({ state, close: 'end' }),
})

export const sipByUdp: SessionRunner = sessionRunner<undefined, Frame>({
  limits: { frameBytes: 65_535, idleMs: 1_000 },
  decode: decodeDatagram,
  open: () => ({ state: undefined }),
  step(state, frame, context) {
    if (frame === 'ping' || frame === 'drop') return { state }
    const { send, ...step } = answer(frame, context)
    // What a datagram has no room for is not sent; its header fields come back, and little more.
    const fits = send !== undefined && Buffer.byteLength(send) <= MAX_DATAGRAM
    return { ...step, ...(fits && { send }) }
  },
})

/** The next message of such a stream cannot be found. */
const hasTwoLengths = ({ headers }: Request): boolean =>
  headers.filter(({ name }) => name === 'Content-Length').length > 1

function answer(request: Request, context: SessionContext): Step<undefined> & { readonly send?: Buffer } {
  const step = { state: undefined, events: [eventOf(request)] }
  const status = statusOf(request)
  if (status === undefined) return step
  return { ...step, send: Buffer.from(response(request, status, context), 'latin1') }
}

/** Undefined: nothing is answered, as to an ACK, or to what says not where an answer goes. */
function statusOf(request: Request): number | undefined {
  const { method, isBad } = request
  if (method === 'ACK' || valueOf(request, 'Via') === undefined) return undefined
  if (isBad) return 400
  if (/^0+$/.test(valueOf(request, 'Max-Forwards') ?? '')) return 483
  if (WITHIN_DIALOG.has(method)) return 481
  return CHALLENGED.has(method) ? 401 : 501
}

/** All that was said, Authorization whole: a digest can be tried against words. */
function eventOf({ method, uri, headers }: Request): DecoyEvent {
  const all: Record<string, string> = {
    'Request-Line': readable(`${method} ${uri} SIP/2.0`.slice(0, MAX_VALUE)),
  }
  for (const { name, value } of headers.slice(0, MAX_HEADERS)) {
    const text = readable(value.slice(0, MAX_VALUE))
    const known = all[readable(name)]
    all[readable(name)] = known === undefined ? text : `${known}, ${text}`
  }
  return { logtype: '15001', fields: { HEADERS: all } }
}
