// What all key exchange methods of the server share: a message comes in, a secret and an answer go out.

/** The result of a finished method. */
export interface KexOutcome {
  /** The bytes of the exchange hash between host key and shared secret. */
  readonly hashed: Buffer
  /** The shared secret in the form that is hashed: `mpint`, or `string` for the hybrid methods. */
  readonly secret: Buffer
  /** The reply: `type | string host key | answer | string signature`. */
  readonly replyType: number
  readonly answer: Buffer
}

export type KexStep =
  /** Send this and go on with `next`. */
  | { readonly kind: 'continue'; readonly send: Buffer; readonly next: KexMethod }
  | { readonly kind: 'done'; readonly outcome: KexOutcome }
  /** Costly: computed off the thread of the event loop. */
  | { readonly kind: 'later'; readonly result: () => Promise<KexStep> }
  /** The client's value is invalid; OpenSSH closes without a message. */
  | { readonly kind: 'refused' }

/** A method that waits for one message. */
export interface KexMethod {
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  /** The message number that it waits for. */
  readonly expects: number
  /** `payload`: the whole message. `random`: fresh bytes for this exchange. */
  readonly receive: (payload: Buffer, random: (length: number) => Buffer) => KexStep
}

export const REFUSED: KexStep = { kind: 'refused' }
