// What attacks of strangers share: whom they reach, from where, and how they connect.
import { connect, type Socket } from 'node:net'

/** Ports. */
export interface Target {
  readonly api: number
  readonly tokens: number
  /** Tokens by HTTPS. */
  readonly https: number
  /** Of a token that is an app of an identity provider, which validates assertions. */
  readonly appPath?: string
  /** Tokens by MySQL, PostgreSQL and DNS over TCP. */
  readonly others: readonly number[]
  /** Of a token factory. */
  readonly factoryKey: string
  readonly decoys: Readonly<Record<'ftp' | 'ssh' | 'http' | 'redis' | 'smb', number>>
}

/** Answers how much it did: connections, bytes, frames. */
export type Attack = (target: Target, isOver: () => boolean) => Promise<number>

export interface NamedAttack {
  readonly title: string
  /**
   * Milliseconds since its process was started, 0 unless given, until all its connections have arrived. They
   * come at once, and Node.js accepts one in a turn of its event loop: tokens that are touched meanwhile wait
   * behind them, and have a limit of their own.
   */
  readonly arrivalMs?: number
  /** Where they are wider than those of an attack from a few addresses, and why. */
  readonly limits?: Partial<SiegeLimits>
  readonly run: Attack
}

/** What an attack may cost, at most. */
export interface SiegeLimits {
  /** Milliseconds of a token, and of the p99 of pages. */
  readonly answerMs: number
  /** Of the console and its Bird, over what they took before. */
  readonly growthMb: number
  /** Milliseconds of an answer of a decoy that is not attacked, where the attack is one on a decoy's processor. */
  readonly decoyMs?: number
}

export const LIMITS: SiegeLimits = { answerMs: 50, growthMb: 64 }

/** Where attacks come from; visitors come from elsewhere. */
export const ATTACKER = '127.0.0.66'

/** So many others. */
export const addresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `127.0.66.${n + 1}`)

/** A stranger who was cut off comes again after the time of a few packets over the Internet. */
export const AGAIN_MS = 250

/** A connection; `undefined` once it could not be made. It is never read from. */
export const dial = (port: number, localAddress = ATTACKER): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    socket.once('connect', () => resolve(socket))
    socket.on('error', () => resolve(undefined))
    socket.pause()
  })

/** Resolves once the socket takes more, or is closed; after a second at the latest. */
export const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer)
      socket.off('drain', settle).off('close', settle)
      resolve()
    }
    const timer = setTimeout(settle, 1_000)
    socket.on('drain', settle).on('close', settle)
  })
