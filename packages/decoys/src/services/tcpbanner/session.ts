// A banner for each client that connects, and an answer to whatever is sent. What a connection does is an event, or not, by the settings.
import { readableBytes } from '../../session/readable.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { DecoyEvent, SessionRunner, Step } from '../../session/session.ts'

export interface TcpBanner {
  /** Its number: `BANNER_ID`. */
  readonly id: number
  readonly initBanner: Buffer
  readonly dataBanner: Buffer
  /** The only data that is an incident; undefined: all is. */
  readonly alertString?: Buffer
  /** What a monitor says first; undefined: there is none. */
  readonly secret?: Buffer
}

interface State {
  readonly phase: 'open' | 'secret-awaited' | 'monitor'
  /** The beginning of a secret, or the end of what may become the text of an alert. */
  readonly kept: Buffer
  /** Pieces of data that were an event. */
  readonly reported: number
}

/** A segment's share of a stream. */
const MAX_BYTES = 16_384
const IDLE_MS = 300_000
/** Of one connection; the rest is answered alike, and says no more of its sender. */
const MAX_DATA_EVENTS = 100
const NONE = Buffer.alloc(0)

const FUNCTIONS = {
  '20001': 'CONNECTION_MADE',
  '20002': 'DATA_RECEIVED',
  '20003': 'KEEP_ALIVE_CONNECTION_MADE',
  '20004': 'KEEP_ALIVE_SECRET_RECEIVED',
  '20005': 'KEEP_ALIVE_DATA_RECEIVED',
  '20006': 'KEEP_ALIVE_REFUSED',
} as const

export function tcpBannerSession(banner: TcpBanner): SessionRunner {
  const { id, initBanner, dataBanner, alertString, secret } = banner
  const event = (logtype: keyof typeof FUNCTIONS, data: Buffer = NONE): DecoyEvent => ({
    logtype,
    fields: { BANNER_ID: String(id), DATA: readableBytes(data), FUNCTION: FUNCTIONS[logtype] },
  })

  function take(state: State, data: Buffer): Step<State> {
    if (state.phase === 'secret-awaited') return takeSecret(state, Buffer.concat([state.kept, data]))
    const seen = Buffer.concat([state.kept, data])
    const isAlert = alertString === undefined || seen.includes(alertString)
    const isReported = isAlert && state.reported < MAX_DATA_EVENTS
    const logtype = state.phase === 'monitor' ? '20005' : '20002'
    return {
      state: {
        phase: state.phase,
        kept: isAlert || !alertString ? NONE : endOf(seen, alertString.length - 1),
        reported: state.reported + (isReported ? 1 : 0),
      },
      ...(isReported && { events: [event(logtype, seen)] }),
      send: dataBanner,
    }
  }

  /** Until it is whole or wrong. No secret is one that nobody knows. */
  function takeSecret(state: State, first: Buffer): Step<State> {
    const expected = secret ?? NONE
    const common = Math.min(first.length, expected.length)
    if (common === 0 || !first.subarray(0, common).equals(expected.subarray(0, common)))
      return { state, events: [event('20006', first)], close: 'end' }
    if (first.length < expected.length) return { state: { ...state, kept: first } }
    const rest = first.subarray(expected.length)
    const known = { phase: 'monitor', kept: NONE, reported: 0 } as const
    const hasData = rest.toString('latin1').trim() !== ''
    const next = hasData ? take(known, rest) : { state: known, send: dataBanner }
    return { ...next, events: [event('20004'), ...(next.events ?? [])] }
  }

  const isWatched = secret !== undefined
  return sessionRunner<State, Buffer>({
    limits: { frameBytes: MAX_BYTES, idleMs: IDLE_MS },
    decode(bytes) {
      const length = Math.min(bytes.length, MAX_BYTES)
      return length === 0 ? undefined : { frame: Buffer.from(bytes.subarray(0, length)), length }
    },
    open: () => ({
      state: { phase: isWatched ? 'secret-awaited' : 'open', kept: NONE, reported: 0 },
      ...(isWatched ? { events: [event('20003')] } : alertString ? {} : { events: [event('20001')] }),
      send: initBanner,
    }),
    step: take,
    idle: (state) => ({ state, close: 'end' }),
    keptBytes: ({ kept }) => kept.length,
  })
}

const endOf = (bytes: Buffer, length: number): Buffer =>
  length <= 0 ? NONE : Buffer.from(bytes.subarray(-length))
