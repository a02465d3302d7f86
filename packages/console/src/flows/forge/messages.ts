// What the console and its forge process say to each other, over the channel of `fork`.
import type { FaultCode } from '@rookery/kernel/fault.ts'
import type { ForgedFile } from '@rookery/tokens/forge.ts'
import type { IssuedValues } from '@rookery/tokens/issued-values.ts'
import type { TokenSettings } from '@rookery/tokens/settings.ts'
import type { Placement, TokenAddress } from '@rookery/tokens/token.ts'

/** One file to make. */
export interface ForgeJob {
  readonly kind: string
  readonly address: TokenAddress
  readonly placement: Placement
  readonly settings: TokenSettings
  readonly issued: IssuedValues
  /** By the names of their settings. */
  readonly uploads: Readonly<Record<string, Uint8Array>>
  /** 32 bytes of this token, of which everything random in its file is made. */
  readonly seed: Uint8Array
  /** Of processor time, once its forge is loaded; without it there is no bound. */
  readonly workMs?: number
}

/** A kind whose forge will be needed. */
export interface LoadKind {
  readonly load: string
}

export type ForgeReply =
  /** Once, before the first job. */
  | { readonly type: 'ready' }
  | { readonly type: 'forged'; readonly file: ForgedFile }
  /** The caller gave something that the kind cannot use. */
  | {
      readonly type: 'refused'
      readonly code: FaultCode
      readonly message: string
      readonly details: Readonly<Record<string, string>>
    }
  /** A fault of the kind's own code. */
  | { readonly type: 'failed'; readonly stack: string }
