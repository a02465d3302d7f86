// The ciphers by their names, and how each builds a protection from key material.
import { byWord } from '@rookery/kernel/by-word.ts'
import { macs } from '../mac/mac.ts'
import { aesCtr } from './aes-ctr.ts'
import { aesGcm } from './aes-gcm.ts'
import { chacha20Poly1305 } from './chacha20-poly1305.ts'
import type { Protection } from './protection.ts'

/** Key material of one direction: `(letter, length)` of RFC 4253, 7.2. */
export type KeySource = (purpose: 'iv' | 'key' | 'mac', length: number) => Buffer

type Build = (keys: KeySource, macName: string | undefined) => Protection

export const ciphers = byWord<{ readonly isAead: boolean; readonly build: Build }>({
  'chacha20-poly1305@openssh.com': { isAead: true, build: (keys) => chacha20Poly1305(keys('key', 64)) },
  'aes128-ctr': ctr(16),
  'aes192-ctr': ctr(24),
  'aes256-ctr': ctr(32),
  'aes128-gcm@openssh.com': gcm(16),
  'aes256-gcm@openssh.com': gcm(32),
})

function ctr(keyBytes: number): { isAead: boolean; build: Build } {
  return {
    isAead: false,
    build(keys, macName) {
      const mac = macs[macName ?? '']
      if (!mac)
        throw new RangeError(
          `The MAC is ${JSON.stringify(macName)}; it must be one of ${Object.keys(macs).join(', ')}`,
        )
      return aesCtr(keys('key', keyBytes), keys('iv', 16), mac.build(keys('mac', mac.keyBytes)))
    },
  }
}

function gcm(keyBytes: number): { isAead: boolean; build: Build } {
  return { isAead: true, build: (keys) => aesGcm(keys('key', keyBytes), keys('iv', 12)) }
}
