/** One host key as key exchange uses it. */
export interface HostKey {
  /** The public key blob (RFC 4253, 6.6): `string type | …`. */
  readonly blob: Buffer
  /** The signature blob for one algorithm of this key: `string algorithm | string signature`. */
  readonly sign: (algorithm: string, text: Buffer) => Buffer
}

/** Bytes that are this Bird's own for ever, by label. */
export type Derive = (label: string, length: number) => Buffer
