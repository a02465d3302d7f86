// Secrets at rest: sealed with AES-256-GCM under the master key, which is stored apart from the database.
// Layout: v1:<key id>:<nonce>:<ciphertext and tag>, base64url; the associated data binds table, column and row.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Random } from '@rookery/kernel/world.ts'

/** Where a sealed value lives: one copied into another row or column does not open. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly row: string
}

export interface BlockCipher {
  /** One block or several, each for itself. */
  encrypt(blocks: Buffer): Buffer
  decrypt(blocks: Buffer): Buffer
}

export interface Vault {
  seal(text: string, place: Place): string
  /** Throws `unavailable` when the value was sealed under another key, moved or altered. */
  open(sealed: string, place: Place): string
  /** Keyed hash, hex: finds a secret that is not stored. */
  digest(label: 'key' | 'url' | 'enrolment', text: string): string
  /** A MAC over bytes; each purpose has a key of its own. */
  mac(label: 'cursor' | 'audit', text: string): Buffer
  /** AES on single 16-byte blocks, a fraction of the cost of a MAC. */
  blockCipher(label: 'token' | 'incident hash' | 'incident tag' | 'incident mask'): BlockCipher
  /** Eight hex digits that name the master key. */
  readonly keyId: string
}

const NONCE = 12
const TAG = 16

/** A vault under a 32-byte master key. */
export function openVault(masterKey: Uint8Array, random: Random): Vault {
  // Key objects: with a buffer as key, each HMAC would cost five times as much.
  const derived = new Map<string, KeyObject>()
  const key = (label: string): KeyObject => {
    const cached = derived.get(label)
    if (cached) return cached
    const made = createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', `rookery ${label}`, 32)))
    derived.set(label, made)
    return made
  }
  const keyId = key('id').export().subarray(0, 4).toString('hex')
  const associated = ({ table, column, row }: Place): Buffer =>
    Buffer.from(JSON.stringify([table, column, row]))

  return {
    keyId,
    seal(text, place) {
      const nonce = random.bytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key('seal'), nonce).setAAD(associated(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return ['v1', keyId, Buffer.from(nonce).toString('base64url'), sealed.toString('base64url')].join(':')
    },
    open(sealed, place) {
      const [version, id, nonce = '', body = ''] = sealed.split(':')
      if (version !== 'v1' || id !== keyId) {
        throw new Fault(
          'unavailable',
          `A secret in ${place.table} was sealed under master key ${id ?? '?'}, not ${keyId}.`,
        )
      }
      const bytes = Buffer.from(body, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key('seal'), Buffer.from(nonce, 'base64url'))
      decipher.setAAD(associated(place)).setAuthTag(bytes.subarray(-TAG))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(0, -TAG)), decipher.final()]).toString('utf8')
      } catch (cause) {
        throw new Fault(
          'unavailable',
          `A secret in ${place.table}.${place.column} does not open: it was altered or moved.`,
          { cause },
        )
      }
    },
    digest: (label, text) =>
      createHmac('sha256', key(`${label} hash`))
        .update(text)
        .digest('hex'),
    blockCipher(label) {
      // ECB has no state between blocks: the two objects can be used again and again.
      const cipher = createCipheriv('aes-256-ecb', key(label), null).setAutoPadding(false)
      const decipher = createDecipheriv('aes-256-ecb', key(label), null).setAutoPadding(false)
      return { encrypt: (blocks) => cipher.update(blocks), decrypt: (blocks) => decipher.update(blocks) }
    },
    mac: (label, text) =>
      createHmac('sha256', key(`${label} mac`))
        .update(text)
        .digest(),
  }
}
