// A protocol as a pure machine: bytes become frames (decode), a frame moves the state and yields a step.
// Only the host (host/) owns sockets, clocks and randomness; it hands them in through the context.
import type { EventFields } from '@rookery/kernel/touch.ts'

/** One touch as a service sees it; the host adds instance, addresses and ports. */
export interface DecoyEvent {
  readonly logtype: string
  readonly fields: EventFields
}

/** What a session may know of the world. */
export interface SessionContext {
  /** Milliseconds UTC. */
  readonly now: () => number
  readonly random: (length: number) => Buffer
  /** Bytes that are this Bird's own for ever: host keys, serials, salts. Never used as they are; always through `derive`. */
  readonly derive: (label: string, length: number) => Buffer
  readonly src: { readonly host: string; readonly port: number }
  /** The logical port: 22, never 20022. */
  readonly dst: { readonly host: string; readonly port: number }
}

/** The answer of a machine to what it was given. Everything but the state is optional. */
export interface Step<State> {
  readonly state: State
  /** Raised before anything is sent: the event is in the spool before the intruder sees an answer. */
  readonly events?: readonly DecoyEvent[]
  readonly send?: Buffer | string
  /** Hold `send` (and every later frame of this connection) back for so long; the real server's delay. */
  readonly delayMs?: number
  /** Close after `send` has been flushed: `end` as a FIN, `reset` as an RST. */
  readonly close?: 'end' | 'reset'
}

/** `undefined`: no whole frame yet. A thrown error means garbage that the codec cannot name: the host closes. */
export type Decoded<Frame> = { readonly frame: Frame; readonly length: number } | undefined

/** No whole frame yet, and none before `atLeast` bytes are there: spares a codec from reading a long frame again and again. */
export interface Incomplete {
  readonly atLeast: number
}

export interface SessionDefinition<State, Frame> {
  readonly limits: {
    /** Most bytes that may wait for a whole frame; beyond it `overflow` decides, or the host closes. */
    readonly frameBytes: number
    /** Silence after which `idle` is asked, or the host closes. */
    readonly idleMs: number
  }
  /** Reads one frame from the front of `bytes` (`length` ≥ 1 bytes are then consumed). Pure; sees the state, as encrypted protocols must. */
  readonly decode: (bytes: Buffer, state: State) => Decoded<Frame> | Incomplete
  /** The connection stands: the first state and the greeting, if the server speaks first. */
  readonly open: (context: SessionContext) => Step<State>
  readonly step: (state: State, frame: Frame, context: SessionContext) => Step<State>
  /** More than `frameBytes` without a frame. */
  readonly overflow?: (state: State, context: SessionContext) => Step<State>
  /** `idleMs` of silence. */
  readonly idle?: (state: State, context: SessionContext) => Step<State>
  /** The intruder is gone, or we closed: last events (SSH tells only then whether a login was tried). */
  readonly gone?: (state: State, context: SessionContext) => readonly DecoyEvent[]
}

/** A running conversation with its types forgotten: what the host drives, and what tests drive without a socket. */
export interface Conversation {
  readonly limits: SessionDefinition<unknown, unknown>['limits']
  open(): Reply
  /** Frames may wait for `resume`: the last reply delays, or so much was answered that the rest should wait until it is flushed. */
  readonly hasMore: boolean
  /** Feeds bytes; the replies of every frame that became whole, in order. Stops at a reply that delays or closes; call `resume` for the rest. */
  receive(bytes: Buffer): Reply[]
  resume(): Reply[]
  idle(): Reply | undefined
  gone(): readonly DecoyEvent[]
}

export type Reply = Omit<Step<unknown>, 'state'> & {
  /** The definition threw this; the reply then resets the connection. */
  readonly thrown?: unknown
}

/**
 * A listening port of a service. Over UDP every datagram is a conversation of its own (open, receive, gone); what must
 * outlive it lives in the service's closure.
 */
export interface Listener {
  /** The service instance, such as `ssh` or `tcpbanner_3`. */
  readonly instance: string
  readonly transport: 'tcp' | 'udp'
  /** The logical port, from the settings. */
  readonly port: number
  readonly converse: (context: SessionContext) => Conversation
}

/** The Bird's flat settings object (specification 2.8). */
export type BirdSettings = Readonly<Record<string, unknown>>

/** The door of a service folder (`services/<name>/service.ts`, default export): which ports it opens under these settings; none when it is off. */
export interface Service {
  readonly listeners: (settings: BirdSettings) => readonly Listener[]
}
