import type { RepeatedGuesses } from '../../repeated-guesses.ts'
import type { KexMethod } from './kex/method.ts'
import type { Direction } from './codec/packet.ts'
import type { Protection } from './cipher/protection.ts'
import type { Agreed } from './negotiate.ts'
import type { SshVersion } from './versions/version.ts'

/** What the settings and tests decide, the same for every connection. */
export interface SshPersonality {
  readonly version: SshVersion
  /** Shown before authentication; nothing when empty. */
  readonly banner: string
  /** How long PAM takes to refuse a password, on average; 0 also drops every other delay. */
  readonly passwordDelayMs: number
  /** Passwords that the sixth failure's disconnect cut off. */
  readonly repeatedGuesses: RepeatedGuesses
}

export interface SshState {
  readonly openedAt: number
  readonly stage: Stage
  /** The client's identification line. */
  readonly remoteVersion: string | undefined
  readonly inbound: Direction
  readonly outbound: Direction
  readonly auth: AuthState
}

export type Stage =
  /** Waits for the client's identification line. */
  | { readonly name: 'ident' }
  | { readonly name: 'kexinit'; readonly serverInit: Buffer }
  | Exchanging
  /** Our new keys are in use; the client's wait for its SSH_MSG_NEWKEYS. */
  | { readonly name: 'newkeys'; readonly next: Protection; readonly isStrict: boolean }
  | { readonly name: 'auth'; readonly isStrict: boolean }

export interface Exchanging {
  readonly name: 'exchange'
  readonly clientInit: Buffer
  readonly serverInit: Buffer
  readonly agreed: Agreed
  /** What waits for the client's next message. */
  readonly method: KexMethod
  /** The client guessed wrong: its next packet does not count (RFC 4253, 7). */
  readonly isNextSkipped: boolean
}

export interface AuthState {
  readonly isServiceAccepted: boolean
  /** Requests so far, and those that count as failures. */
  readonly attempts: number
  readonly failures: number
  readonly user: string
  readonly service: string
  /** A login event was raised. */
  readonly isLoginTried: boolean
}
