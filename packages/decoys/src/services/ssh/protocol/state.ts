// The configuration of an SSH server, and the state of one connection.
import type { RepeatedGuesses } from '../../../session/repeated-guesses.ts'
import type { Protection } from './cipher/protection.ts'
import type { Offer } from './codec/kexinit.ts'
import type { Direction } from './codec/packet.ts'
import type { ExchangeBudget } from './exchange-budget.ts'
import type { KexMethod } from './kex/method.ts'
import type { Negotiated } from './negotiate.ts'
import type { SourcePenalties } from './source-penalties.ts'
import type { SshVersion } from './version.ts'

/** The same for every connection of a listener. */
export interface SshConfig {
  readonly version: SshVersion
  /** Shown before authentication; nothing when empty. */
  readonly banner: string
  /** How long PAM takes to refuse a password, on average. 0 also drops every other delay. */
  readonly pamDelayMs: number
  /** Credentials whose answer was the close after the sixth failure. */
  readonly repeatedGuesses: RepeatedGuesses
  readonly budget: ExchangeBudget
  readonly penalties?: SourcePenalties
}

export interface SshState {
  /** The end of LoginGraceTime. */
  readonly graceEndsAt: number
  readonly isGraceExceeded: boolean
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
  /** Waits for the client's SSH_MSG_KEXINIT; ours is sent. */
  | { readonly name: 'kexinit'; readonly offer: Offer; readonly serverInit: Buffer }
  | ExchangeStage
  /** Our new keys are in use; the client's are used from its SSH_MSG_NEWKEYS on. */
  | {
      readonly name: 'newkeys'
      readonly next: Protection
      readonly isStrict: boolean
      readonly acceptsExtInfo: boolean
    }
  | { readonly name: 'auth'; readonly isStrict: boolean; readonly acceptsExtInfo: boolean }

/** Waits for a message of the key exchange method. */
export interface ExchangeStage {
  readonly name: 'exchange'
  readonly clientInit: Buffer
  readonly serverInit: Buffer
  readonly negotiated: Negotiated
  readonly method: KexMethod
  /** The client guessed a wrong method: its next packet is ignored (RFC 4253, 7). */
  readonly ignoresNext: boolean
}

export interface AuthState {
  readonly isServiceAccepted: boolean
  /** All authentication requests. */
  readonly attempts: number
  /** Those that count towards MaxAuthTries. */
  readonly failures: number
  readonly user: string
  readonly service: string
  /** The client has sent SSH_MSG_EXT_INFO. */
  readonly hasExtInfo: boolean
  /** It asks for ours once more (ext-info-in-auth@openssh.com). */
  readonly wantsExtInfo: boolean
  /** A login event was raised. */
  readonly isLoginTried: boolean
}
