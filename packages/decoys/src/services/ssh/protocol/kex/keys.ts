// Derives the keys of both directions from the shared secret (RFC 4253, 7.2 and 8).
import { createHash } from 'node:crypto'
import type { KeySource } from '../cipher/ciphers.ts'

/** Letters of RFC 4253, 7.2, by direction. */
const LETTERS = {
  toServer: { iv: 'A', key: 'C', mac: 'E' },
  toClient: { iv: 'B', key: 'D', mac: 'F' },
} as const

/** `secret`: in the form that is hashed, length included. */
export const keySource =
  (
    hash: string,
    secret: Buffer,
    exchangeHash: Buffer,
    sessionId: Buffer,
    direction: keyof typeof LETTERS,
  ): KeySource =>
  (purpose, length) => {
    const letter = Buffer.from(LETTERS[direction][purpose])
    let key = digest(hash, secret, exchangeHash, letter, sessionId)
    while (key.length < length) key = Buffer.concat([key, digest(hash, secret, exchangeHash, key)])
    return key.subarray(0, length)
  }

export function digest(hash: string, ...parts: readonly Buffer[]): Buffer {
  const state = createHash(hash)
  for (const part of parts) state.update(part)
  return state.digest()
}
