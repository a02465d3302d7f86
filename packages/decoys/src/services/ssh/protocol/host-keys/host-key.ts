/** A host key as the key exchange uses it. */
export interface HostKey {
  /** The public key blob (RFC 4253, 6.6): `string type | …`. */
  readonly blob: Buffer
  /** The signature blob for one algorithm of this key: `string algorithm | string signature`. */
  readonly sign: (algorithm: string, text: Buffer) => Buffer
}

/** Bytes of this Bird by label, always the same. */
export type Derive = (label: string, length: number) => Buffer
