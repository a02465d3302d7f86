// SymmetricState of Noise (rev 34, section 5.2): a chaining key, and a hash of everything that both sides have sent.
import { createHash, createHmac } from 'node:crypto'
import { cipher, type Cipher } from './cipher.ts'

export function symmetricState(protocolName: string) {
  const name = Buffer.from(protocolName)
  let h = name.length <= 32 ? Buffer.concat([name, Buffer.alloc(32 - name.length)]) : sha256(name)
  let chainingKey = h
  let current: Cipher | undefined

  const mixHash = (bytes: Uint8Array): void => {
    h = sha256(h, bytes)
  }

  return {
    mixHash,
    mixKey(keyMaterial: Uint8Array) {
      const [next, key] = hkdf(chainingKey, keyMaterial)
      chainingKey = next
      current = cipher(key)
    },
    /** Leaves the text unencrypted until the first `mixKey`. */
    encryptAndHash(plaintext: Uint8Array): Buffer {
      const ciphertext = current ? current.encrypt(plaintext, h) : Buffer.from(plaintext)
      mixHash(ciphertext)
      return ciphertext
    },
    /** Undefined when the bytes were altered. */
    decryptAndHash(ciphertext: Uint8Array): Buffer | undefined {
      const plaintext = current ? current.decrypt(ciphertext, h) : Buffer.from(ciphertext)
      if (plaintext) mixHash(ciphertext)
      return plaintext
    },
    /** The keys of the two directions, the initiator's first. */
    split: (): readonly [Buffer, Buffer] => hkdf(chainingKey, Buffer.alloc(0)),
    hash: (): Buffer => h,
  }
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const hmac = (key: Uint8Array, bytes: Uint8Array): Buffer => createHmac('sha256', key).update(bytes).digest()

/** HKDF with two outputs, as Noise defines it (4.3). */
function hkdf(chainingKey: Buffer, keyMaterial: Uint8Array): readonly [Buffer, Buffer] {
  const secret = hmac(chainingKey, keyMaterial)
  const first = hmac(secret, Buffer.from([1]))
  return [first, hmac(secret, Buffer.concat([first, Buffer.from([2])]))]
}
