// A protocol as a pure state machine: `decode` turns bytes into frames, `step` turns a frame into the next state and an
// answer. Only the host (`host/`) owns sockets, clocks and randomness; sessions get them through their context.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Crowd } from './crowd.ts'
import type { AnswerBudget } from '../settings/descriptor.ts'
import type { Memory } from './memory.ts'
import type { Sensor } from './sensor.ts'
import type { TlsFacts, TlsFailure, TlsServer } from './tls-server.ts'

/** One touch as a service reports it; the host adds instance, addresses and ports. */
export interface DecoyEvent {
  readonly logtype: string
  readonly fields: EventFields
}

/** What a session may ask of its surroundings. */
export interface SessionContext {
  /** Milliseconds UTC. */
  readonly now: () => number
  readonly random: (length: number) => Buffer
  /** Bytes that belong to this Bird and never change: for host keys, serials, salts. Another label gives other bytes. */
  readonly derive: (label: string, length: number) => Buffer
  readonly src: { readonly host: string; readonly port: number }
  /** The logical port: 22, never 20022. */
  readonly dst: { readonly host: string; readonly port: number }
  /** What the handshake agreed on; undefined while the connection is not encrypted. */
  readonly tls?: TlsFacts | undefined
  /** Whether the lines that it has answered now took long: the next ones are answered in a later turn. Missing without a host. */
  readonly isTurnOver?: () => boolean
  /** The connection is closed; what came before is still recorded, but nobody reads an answer. */
  readonly isGone?: boolean
  /** Calls `wake` of this connection soon: another connection has something for it. Missing without a host. TCP only. */
  readonly wakeSoon?: () => void
}

export interface FurtherWrite {
  readonly send: Buffer | string
  /** In a later turn of the event loop, some 0.2 ms after the last: as where a real server has something to do, or another process. */
  readonly isLater?: boolean
}

/** What a session does about one input. Everything but the state is optional. */
export interface Step<State> {
  readonly state: State
  /** The host raises events before it sends: the spool has the event before the intruder sees an answer. */
  readonly events?: readonly DecoyEvent[]
  readonly send?: Buffer | string
  /** Behind `send`, a write(2) for each. Later frames of this connection wait for them. By UDP, a datagram for each. */
  readonly furtherWrites?: readonly FurtherWrite[]
  /** Delays `send`, and every later frame of this connection, as long as the real server would. */
  readonly delayMs?: number
  /**
   * Calls `wake` after so many milliseconds, whatever arrives meanwhile; a later step's value replaces this one. By TCP, and in a
   * conversation by UDP.
   */
  readonly wakeMs?: number
  /** True: later frames wait until a step says false. The end of the peer's input is seen meanwhile, unlike in a delay. TCP only. */
  readonly holds?: boolean
  /** The next step, computed off the thread of the event loop. Later frames of this connection wait for it. TCP only. */
  readonly later?: () => Promise<Step<State>>
  /**
   * Closes after `send` is flushed: `end` with a FIN, and input is still read and discarded for a while; `reset` with a
   * RST; `close` as close(2), with a RST if frames wait that were not read, else with a FIN; `discard` with a FIN, and replies to earlier frames of the
   * same segment are not sent.
   */
  readonly close?: 'end' | 'close' | 'reset' | 'discard'
  /** With `close: 'close'`: so many bytes of the input that waits count as read, since the server reads ahead. */
  readonly readAheadBytes?: number
  /**
   * Puts TLS between socket and session, behind `send`. What the peer sends from here on is its handshake; then `secured` or
   * `tlsFailed` is asked. `'off'` takes TLS away again without an alert: `send`, and all that follows either way, is not
   * encrypted (TDS encrypts the login alone). TCP only.
   */
  readonly tls?: TlsServer | 'off'
  /**
   * Answers from a port of its own, where the conversation goes on with this session, for 30 s at most, as a TFTP server does.
   * For the first datagram. UDP only.
   */
  readonly from?: 'fresh'
}

/** `undefined`: no whole frame yet. A thrown error means bytes that the codec has no answer for: the host closes. */
export type Decoded<Frame> = { readonly frame: Frame; readonly length: number } | undefined

/** No whole frame before `atLeast` bytes: the runner does not call the codec again until then. */
export interface Incomplete {
  readonly atLeast: number
}

export interface SessionDefinition<State, Frame> {
  readonly limits: {
    /** Most bytes that may wait for a whole frame. Beyond it the runner calls `overflow`, or resets the connection. */
    readonly frameBytes: number
    /** Silence after which the host calls `idle`, or closes. */
    readonly idleMs: number
  }
  /** Reads one frame from the front of `bytes` and consumes `length` ≥ 1 bytes. Encrypted protocols need the state for it. */
  readonly decode: (bytes: Buffer, state: State) => Decoded<Frame> | Incomplete
  /** A connection is open: the first state, and the greeting if the server speaks first. */
  readonly open: (context: SessionContext) => Step<State>
  readonly step: (state: State, frame: Frame, context: SessionContext) => Step<State>
  /** More than `frameBytes` without a frame. */
  readonly overflow?: (state: State, context: SessionContext) => Step<State>
  /** Bytes came, but no whole frame; `bytes` is all that waits. A good place to set or move a deadline. */
  readonly partial?: (state: State, bytes: Buffer, context: SessionContext) => Step<State>
  /** Bytes came while frames are held: nothing is decoded, but the real server's event loop goes round. */
  readonly heldInput?: (state: State, context: SessionContext) => Step<State>
  /** The time of `wakeMs` has come. */
  readonly wake?: (state: State, context: SessionContext) => Step<State>
  /** `idleMs` of silence; within a TLS handshake `tlsFailed` is asked instead. A connection that stays open is from now on given up first when there is no room. */
  readonly idle?: (state: State, context: SessionContext) => Step<State>
  /** The TLS handshake is done: `context.tls` says how. */
  readonly secured?: (state: State, context: SessionContext) => Step<State>
  /** The TLS handshake failed, and its alert is sent. What the step sends is not encrypted. The host closes, unless the step has `wakeMs`. */
  readonly tlsFailed?: (state: State, failure: TlsFailure, context: SessionContext) => Step<State>
  /**
   * The peer has ended its side, and what came before is answered; `unread` is the part of a frame that is left. The host closes
   * behind the step, and at once without one.
   */
  readonly ended?: (state: State, unread: Buffer, context: SessionContext) => Step<State> | undefined
  /** The connection is closed, by either side: the last events. Only then does SSH know whether a login was tried. */
  readonly closed?: (state: State, context: SessionContext) => readonly DecoyEvent[]
  /** Bytes of the peer that the state keeps, about: the host closes connections when all of them keep too much. */
  readonly keptBytes?: (state: State) => number
}

/** A running session with its types erased. The host drives it with a socket, tests without one. */
export interface Session {
  readonly limits: SessionDefinition<unknown, unknown>['limits']
  open(): Reply
  /** Bytes may wait for `resume`: the last reply delays, or a portion of answers must be flushed first. */
  readonly hasMore: boolean
  /** Bytes of the peer that are kept: parts of frames, frames that wait for `resume`, what the state keeps. */
  readonly unreadBytes: number
  /** Takes bytes in and returns the replies to every whole frame, in order. Stops at a reply that delays or closes. */
  receive(bytes: Buffer): Reply[]
  /** Replies to the frames that wait. */
  resume(): Reply[]
  wake(): Reply | undefined
  idle(): Reply | undefined
  /** Takes the bytes behind the frame that asked for TLS: they belong to the handshake. */
  takeUnread(): Buffer
  secured(): Reply | undefined
  tlsFailed(failure: TlsFailure): Reply | undefined
  ended(): Reply | undefined
  closed(): readonly DecoyEvent[]
}

export type Reply = Omit<Step<unknown>, 'state' | 'later'> & {
  /** The reply that follows; it never rejects. */
  readonly later?: () => Promise<Reply>
  /** What the definition threw; such a reply resets the connection. */
  readonly error?: unknown
}

/** Starts a session for one connection. */
export type SessionRunner = (context: SessionContext) => Session

/**
 * A listening port of a service. Over UDP each datagram gets a session of its own: open, receive, closed; unless it answers
 * `from` a fresh port. What must outlive it belongs to the service's closure.
 */
export interface Listener extends AnswerBudget {
  /** The service instance, such as `ssh` or `tcpbanner_3`. */
  readonly instance: string
  readonly transport: 'tcp' | 'udp'
  /** The logical port, from the settings. */
  readonly port: number
  readonly startSession: SessionRunner
  /**
   * The settings that its sessions depend on. A listener that stands is kept, with all that its sessions share, while the
   * next one on its port depends on the same; without it, each new listener takes the place of the last.
   */
  readonly dependsOn?: string
  /**
   * What its sessions share that outlives a change of its settings, its port among them. The next listener of its instance and
   * transport takes it over before its first connection.
   */
  readonly memory?: Memory
  /** What raises no event is no touch, and in no report of silent ones: every machine's clock asks an NTP server. */
  readonly isSilenceUsual?: true
  /** How its server treats many connections; without it, all are served until the host has no room. */
  readonly crowd?: Crowd
}

/** The Bird's flat settings object (specification 2.8). */
export type BirdSettings = Readonly<Record<string, unknown>>

/** Folders of the Bird from which services read what users uploaded. */
export interface BirdFolders {
  readonly webroot: string
  /** Each file is named by its number. */
  readonly share: string
}

/** Default export of `services/<name>/service.ts`: what it opens under these settings; nothing while it is off. */
export interface Service {
  readonly listeners: (settings: BirdSettings, folders?: BirdFolders) => readonly Listener[]
  /** What notices touches without a port of its own. */
  readonly sensors?: (settings: BirdSettings) => readonly Sensor[]
}
