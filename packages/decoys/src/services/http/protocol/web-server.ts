// What a web server does in its own way. Session, events and skins are the same for all.
import type { Decoded, Incomplete, SessionContext } from '../../../session/session.ts'
import type { PageCounts } from '../../../machine/page-counts.ts'
import type { TlsProfile } from '../../../session/tls-server.ts'
import type { BodyProgress, BrokenRequest, Frame, RequestHead, Scheme } from './request.ts'
import type { Envelope, HttpResponse } from './response.ts'
import type { Skin } from './skin.ts'

export interface WebServer {
  /** The Server field, unless `http.banner` names another. */
  readonly product: string
  readonly limits: {
    /** Requests of one connection. */
    readonly requests: number
    /** So much of a body is kept. */
    readonly bodyBytes: number
    /** So much of it is read; without it, as much as is kept. */
    readonly mostBodyBytes?: number
    /** For a peer that does not read its answers. */
    readonly idleMs: number
  }
  /** `hasRequest`: an earlier request of the connection was answered. */
  readonly decode: (
    bytes: Buffer,
    body: BodyProgress,
    scheme: Scheme,
    hasRequest: boolean,
  ) => Decoded<Frame> | Incomplete
  /** Milliseconds from now on until the connection is given up; `bytes` of what it waits for have come. */
  readonly patienceMs: (awaited: Awaited, bytes: number, now: number) => number
  /** What it answers when patience has ended; undefined: it closes silently. */
  readonly timeOut: (awaited: Awaited) => BrokenRequest | undefined
  /** How it closes then; without it, with a FIN. */
  readonly timeOutClose?: 'reset'
  /** What it answers when the client ends in the middle of a request; without it, or undefined: it closes. */
  readonly cutOff?: (awaited: Awaited, unread: Buffer, scheme: Scheme) => BrokenRequest | undefined
  /** What it does about the body of this request before it answers. */
  readonly bodyPlan: (head: RequestHead, site: Site) => BodyPlan
  /** The answer to a whole request. A POST to the login form gets the skin's page for wrong credentials. */
  readonly respond: (head: RequestHead, site: Site) => HttpResponse
  /** The answer to a request that cannot be served; the connection closes behind it. */
  readonly refuse: (refusal: BrokenRequest, pending: PendingRequest, site: Site) => HttpResponse
  readonly connection: (exchange: Exchange) => Connection
  readonly serialize: (response: HttpResponse, envelope: Envelope) => Buffer | string
  /** A connection's place among those that wait for a worker; without it, the server serves all at a time. */
  readonly takeSeat?: (context: SessionContext) => Seat | undefined
  readonly tls: {
    readonly profile: TlsProfile
    /** How long a handshake may take that goes on by drops. */
    readonly handshakeMs: number
    /** What it answers, unencrypted, to what is no TLS; undefined: it closes. */
    readonly refuse: (firstBytes: string) => BrokenRequest | undefined
    /** Whether it waits for more of what is no TLS, before it is refused. */
    readonly readsOn?: (firstBytes: Buffer) => boolean
    /** Bytes that it reads for the first record: what comes besides turns the close into a reset. */
    readonly mostReadBytes: number
  }
}

/** One connection, as the workers of its server see it. Instants are milliseconds UTC. */
export interface Seat {
  /**
   * `away`: the server does not know of it, or has closed it. `waiting`: for a worker. `kept`: it is kept alive, without one.
   * `ended`: the server has taken back what it kept alive.
   */
  readonly status: 'away' | 'waiting' | 'working' | 'kept' | 'ended'
  /** Something has come: from now on it works, or waits for a worker. It is woken when that has changed. */
  readonly work: (now: number) => void
  /** It is answered, and kept alive. */
  readonly keep: (now: number) => void
  /** It is closed. */
  readonly leave: (now: number) => void
  /** The answer that it works on is the last one: its worker ends. */
  readonly isLast: () => boolean
  /** What the server does as time passes. */
  readonly look: (now: number) => void
  /** Milliseconds after which `look` may change it; undefined: never by itself. */
  readonly looksInMs: (now: number) => number | undefined
}

/** What the connection waits for. */
export type Awaited =
  | { readonly name: 'first-byte' }
  /** The rest of a request head. `openedAt`: the connection began so, it is its first request. `hasLine`: its first line is there. */
  | {
      readonly name: 'head'
      readonly since: number
      readonly openedAt?: number
      readonly hasLine: boolean
    }
  | { readonly name: 'body'; readonly since: number }
  /** The rest of a body, for a moment, although the answer does not depend on it: its event does. */
  | { readonly name: 'rest-of-body'; readonly isLeft: boolean }
  /** The rest of a body whose request is answered. */
  | { readonly name: 'unused-body'; readonly since: number }
  /** The next request. */
  | { readonly name: 'next' }

/**
 * `read`: reads the body, then answers. `discard`: answers at once, then reads the body and drops it. `leave`: answers, and
 * never reads it; `peek` likewise, but its event has what comes at once. Or refuses the request.
 */
export type BodyPlan = 'read' | 'discard' | 'leave' | 'peek' | BrokenRequest

export interface Site {
  readonly skin: Skin
  /** The product that signs error pages. */
  readonly server: string
  readonly scheme: Scheme
  /** Every request is redirected to TLS at this port. */
  readonly redirectPort: number | undefined
  /** The server's own name, and its port. */
  readonly name: string
  readonly port: string
  readonly now: number
  /** Counts the responses with several ranges, from 1 on. */
  readonly rangesCount: () => number
  /** The boundary of a server that draws one for all its responses, without zeros in front. */
  readonly ownBoundary: () => string
  /** What the machine has printed, where it is a printer. */
  readonly pageCounts: () => PageCounts
}

/** What was read of a request that breaks in its body. */
export interface PendingRequest {
  readonly head: RequestHead | undefined
  readonly body: BodyProgress
}

export interface Exchange {
  readonly head: RequestHead
  readonly response: HttpResponse
  /** A body was read, or is being dropped. */
  readonly hadBody: boolean
  readonly requestsLeft: number
}

export interface Connection {
  readonly closes: boolean
  /** The header lines about it. */
  readonly fields: string
}

export const connectionOptions = ({ headers }: Pick<RequestHead, 'headers'>): readonly string[] =>
  (headers.get('connection') ?? '')
    .toLowerCase()
    .split(',')
    .map((option) => option.trim())
