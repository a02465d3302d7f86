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
}

export interface OutboundRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
}

export interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The first 4 KiB of the body, as text. */
  readonly body: string
}

/** HTTP to addresses that users name. Redirects are not followed; refused addresses and lost connections reject. */
export interface Outbound {
  send(request: OutboundRequest): Promise<OutboundAnswer>
  /** Loads what the first request would load. */
  prepare?(): Promise<void>
}

export interface World {
  readonly clock: Clock
  readonly random: Random
  readonly resolver: Resolver
  readonly outbound: Outbound
}
