// SymmetricState of Noise (rev 34, section 5.2): what both sides have agreed on so far, as a chaining key and a hash.
import { createHash, createHmac } from 'node:crypto'
import { cipher, type Cipher } from './cipher.ts'

export interface Symmetric {
  mixHash(bytes: Uint8Array): void
  mixKey(material: Uint8Array): void
  /** Plain as long as no key has been mixed in. */
  encryptAndHash(plain: Uint8Array): Buffer
  /** `undefined` when the bytes were altered. */
  decryptAndHash(bytes: Uint8Array): Buffer | undefined
  /** The keys of the two directions, the initiator's first. */
  split(): readonly [Buffer, Buffer]
  hash(): Buffer
}

export function symmetric(protocolName: string): Symmetric {
  const name = Buffer.from(protocolName)
  let h = name.length <= 32 ? Buffer.concat([name, Buffer.alloc(32 - name.length)]) : sha256(name)
  let chainingKey = h
  let current: Cipher | undefined

  const mixHash = (bytes: Uint8Array): void => {
    h = sha256(h, bytes)
  }

  return {
    mixHash,
    mixKey(material) {
      const [next, key] = hkdf(chainingKey, material)
      chainingKey = next
      current = cipher(key)
    },
    encryptAndHash(plain) {
      const sealed = current ? current.encrypt(plain, h) : Buffer.from(plain)
      mixHash(sealed)
      return sealed
    },
    decryptAndHash(bytes) {
      const plain = current ? current.decrypt(bytes, h) : Buffer.from(bytes)
      if (plain) mixHash(bytes)
      return plain
    },
    split: () => hkdf(chainingKey, Buffer.alloc(0)),
    hash: () => h,
  }
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const hmac = (key: Uint8Array, bytes: Uint8Array): Buffer => createHmac('sha256', key).update(bytes).digest()

/** Two outputs of HKDF as Noise uses it (4.3). */
function hkdf(chainingKey: Buffer, material: Uint8Array): readonly [Buffer, Buffer] {
  const secret = hmac(chainingKey, material)
  const first = hmac(secret, Buffer.from([1]))
  return [first, hmac(secret, Buffer.concat([first, Buffer.from([2])]))]
}
