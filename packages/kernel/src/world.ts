// Everything outside the process that decides what happens, as functions, so that a test can be the world.

export interface Clock {
  /** Wall time in integer milliseconds since the epoch, UTC. */
  now(): number
  /** Calls `wake` once, `ms` milliseconds from now; the answer cancels it. Never keeps a process alive. */
  after(ms: number, wake: () => void): () => void
}

export interface Random {
  /** `length` bytes nobody can foresee. */
  bytes(length: number): Uint8Array
}

export interface Resolver {
  /** Names that the address's reverse zone claims; empty when there is none. */
  reverse(address: string): Promise<string[]>
  /** Addresses (both families) of a name; empty when there is none. */
  addresses(name: string): Promise<string[]>
  /** The same from the DNS alone, past this machine's own list of hosts; waiting for it occupies no thread. */
  records?(name: string): Promise<string[]>
}

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  /** How much of the answer's body is read; 4 KiB, unless it says so. */
  readonly mostBytes?: number
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The first bytes of the body, as many as were asked for, as text. */
  readonly body: string
}

/** HTTP to addresses that users name. Redirects are not followed; refused addresses and lost connections reject. */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /** Why no request goes to this URL; undefined for an admitted address, and for a name that must be resolved first. */
  refusal?(url: string): string | undefined
  /** Loads what the first request would load. */
  prepare?(): Promise<void>
}

/** One mail to a list of people. No text of it can become a header of its own. */
export interface Letter {
  /** Addresses, each `local@domain` in ASCII. */
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Becomes the message id: the same on every try. */
  readonly id: string
  readonly timeoutMs: number
}

/** An address that the mail server did not take, and its words. */
export interface Refusal {
  readonly address: string
  readonly reason: string
  /** Another try is of no use (RFC 5321, 4.2.1: a reply 5yz). */
  readonly isPermanent: boolean
}

/** Mail by the server that the operator named. */
export interface Mail {
  /** Answers whom the server took the letter for; rejects when it took it for nobody, or could not be reached. */
  send(letter: Letter): Promise<{ readonly refused: readonly Refusal[] }>
  /** As `Outbound` says it of a URL, of the mail server. */
  refusal?(): string | undefined
  /** Loads what the first letter would load. */
  prepare?(): Promise<void>
}

/** Where a listener of this console is advertised. */
export interface Advertised {
  readonly host: string
  readonly port: number
}

export interface SelfDialRequest {
  readonly to: Advertised
  /** Where this console is advertised: addresses that are reached besides those of the public Internet. */
  readonly own: readonly Advertised[]
  readonly timeoutMs: number
}

/** A conversation over TCP, or over TLS under the name that is dialled. */
export interface StreamRequest extends SelfDialRequest {
  readonly isTls: boolean
  /** What is sent next, for all that was received so far; undefined waits for more, and `end` ends it. */
  talk(received: Uint8Array): Uint8Array | 'end' | undefined
}

export interface StreamOutcome {
  /** The address that was reached. */
  readonly address: string
  readonly received: Uint8Array
  /** Why clients would refuse the certificate; empty where they take it, and without TLS. */
  readonly certificateFailure: string
}

/** Connections of this console to itself, as others reach it. Other private addresses are refused, lost connections reject. */
export interface SelfDial {
  stream(request: StreamRequest): Promise<StreamOutcome>
  /** Sends one datagram over UDP; answers the address. */
  datagram(request: SelfDialRequest, bytes: Uint8Array): Promise<string>
}

/** A host that takes messages over a connection, or as datagrams. */
export interface StreamTarget {
  readonly protocol: 'udp' | 'tcp' | 'tls'
  readonly host: string
  readonly port: number
  /** PEM; empty for none: who may have issued its certificate besides the usual authorities, our own certificate, its key. */
  readonly ca: string
  readonly cert: string
  readonly key: string
  readonly timeoutMs: number
}

/** Called with what happens to a connection that was opened. */
export interface StreamEars {
  received(bytes: Uint8Array): void
  /** It is over, ended here or by the peer. */
  closed(): void
}

export interface StreamConnection {
  write(bytes: Uint8Array): void
  /** Sends this, and ends the connection. */
  end(bytes: Uint8Array): void
  /** Breaks it off. */
  destroy(): void
}

/** Messages to hosts that users name. Connections stay open; refused addresses and lost connections reject. */
export interface OutboundStream {
  /**
   * Resolves when the system has taken the message, which no receiver confirms. So what a connection took in the last minute
   * before it broke is sent again over the next one, which is opened by itself: at most 1,000 messages.
   */
  send(to: StreamTarget, message: Uint8Array): Promise<void>
  /** A connection over TCP or TLS to a peer that answers: the caller's own, who ends it. Nothing is sent again. */
  open(to: StreamTarget, hears: StreamEars): Promise<StreamConnection>
  /** Why no message goes to this host; undefined for an admitted address, and for a name that must be resolved first. */
  refusal?(host: string): string | undefined
}

export interface World {
  readonly clock: Clock
  readonly random: Random
  readonly resolver: Resolver
  readonly outbound: Outbound
  readonly outboundStream: OutboundStream
  readonly selfDial: SelfDial
  /** Undefined while no mail server is configured. */
  readonly mail?: Mail | undefined
}
