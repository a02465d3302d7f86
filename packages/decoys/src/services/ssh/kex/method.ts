// What every key exchange method of the server has in common: a message comes, a secret and an answer follow.

/** What a method has found out when it is done. */
export interface Agreement {
  /** The fields of the exchange hash between host key and shared secret, as they are hashed. */
  readonly hashed: Buffer
  /** The shared secret as it is hashed: an `mpint`, or a `string` for the hybrid methods. */
  readonly secret: Buffer
  /** The reply: `type | string host key | answer | string signature`. */
  readonly replyType: number
  readonly answer: Buffer
}

export type Turn =
  /** Send this and go on with `next`. */
  | { readonly kind: 'more'; readonly send: Buffer; readonly next: KexMethod }
  | { readonly kind: 'agreed'; readonly agreement: Agreement }
  /** The client's value cannot be; OpenSSH then closes without a word. */
  | { readonly kind: 'refused' }

/** One method, waiting for one message. */
export interface KexMethod {
  readonly hash: 'sha256' | 'sha384' | 'sha512'
  /** The message number that it waits for. */
  readonly expects: number
  /** `payload`: the whole message. `random`: fresh bytes for this exchange. */
  readonly receive: (payload: Buffer, random: (length: number) => Buffer) => Turn
}

export const REFUSED: Turn = { kind: 'refused' }
