// Bytes that look random and are the same for a token each time: keys and names that nothing has to store.
import { hkdfSync } from 'node:crypto'

/** The same token gets the same bytes for a label. */
export type Derive = (label: string, length: number) => Buffer

/** `seed`: 32 bytes of the token, which nobody can foresee who does not have the master key. */
export const deriver =
  (kind: string, seed: Uint8Array): Derive =>
  (label, length) =>
    Buffer.from(hkdfSync('sha256', seed, '', `rookery ${kind} ${label}`, length))
