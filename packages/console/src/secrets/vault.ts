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

type DigestLabel = 'key' | 'url' | 'enrolment'
type BlockLabel =
  | 'token'
  | 'token file'
  | 'incident hash'
  | 'incident tag'
  | 'incident mask'
  | 'wireguard'
  | 'provider feed'

/** What is still needed of master keys that were replaced; keys in hex (decision 0025). */
export interface RetiredKeys {
  /** Keys of the digests, the oldest first: each hashes what the one before it gave. */
  readonly digests: Readonly<Record<DigestLabel, readonly string[]>>
  /** Names outside the console: they keep their first key. */
  readonly blocks: Readonly<Record<BlockLabel, string>>
  /** Keys of the audit trail, each with the last row that it signs. */
  readonly audit: readonly { readonly lastRow: number; readonly key: string }[]
}

export interface Vault {
  seal(text: string, place: Place): string
  /** Throws `unavailable` when the value was sealed under another key, moved or altered. */
  open(sealed: string, place: Place): string
  /** Keyed hash, hex: finds a secret that is not stored. */
  digest(label: DigestLabel, text: string): string
  /** What `digest` answers under this master key, made of what it answered under the one before. */
  renewDigest(label: DigestLabel, digest: string): string
  /** A MAC over bytes; each purpose has a key of its own. `row`: rows of the audit trail keep the key that signed them. */
  mac(label: 'cursor' | 'audit' | 'challenge' | 'stix', text: string, row?: number): Buffer
  /** AES on single 16-byte blocks, a fraction of the cost of a MAC. */
  blockCipher(label: BlockLabel): BlockCipher
  /** What the vault of the next master key needs of this one; `lastRow` is the last row of the audit trail. */
  retire(lastRow: number): RetiredKeys
  /** Eight hex digits that name the master key. */
  readonly keyId: string
}

const NONCE = 12
const TAG = 16

const DIGESTS = ['key', 'url', 'enrolment'] as const satisfies readonly DigestLabel[]
const BLOCKS = [
  'token',
  'token file',
  'incident hash',
  'incident tag',
  'incident mask',
  'wireguard',
  'provider feed',
] as const satisfies readonly BlockLabel[]

/** A vault under a 32-byte master key; `retired` comes from the vault of the key before. */
export function openVault(masterKey: Uint8Array, random: Random, retired?: RetiredKeys): Vault {
  // Key objects: with a buffer as key, each HMAC would cost five times as much.
  const derived = new Map<string, KeyObject>()
  const key = (label: string): KeyObject => {
    const cached = derived.get(label)
    if (cached) return cached
    const made = createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, '', `rookery ${label}`, 32)))
    derived.set(label, made)
    return made
  }
  const digestKeys = recordOf(DIGESTS, (label) => [
    ...(retired?.digests[label] ?? []).map(secretKey),
    key(`${label} hash`),
  ])
  const blockKeys = recordOf(BLOCKS, (label) => secretKey(retired?.blocks[label] ?? hexOf(key(label))))
  const auditKeys = (retired?.audit ?? []).map((it) => ({ lastRow: it.lastRow, key: secretKey(it.key) }))
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
    digest: (label, text) => digestKeys[label].reduce(hmacHex, text),
    renewDigest: (label, digest) => hmacHex(digest, key(`${label} hash`)),
    blockCipher(label) {
      // ECB has no state between blocks: the two objects can be used again and again.
      const cipher = createCipheriv('aes-256-ecb', blockKeys[label], null).setAutoPadding(false)
      const decipher = createDecipheriv('aes-256-ecb', blockKeys[label], null).setAutoPadding(false)
      return { encrypt: (blocks) => cipher.update(blocks), decrypt: (blocks) => decipher.update(blocks) }
    },
    mac(label, text, row = Infinity) {
      const signer = label === 'audit' ? auditKeys.find(({ lastRow }) => row <= lastRow)?.key : undefined
      return createHmac('sha256', signer ?? key(`${label} mac`))
        .update(text)
        .digest()
    },
    retire: (lastRow) => ({
      digests: recordOf(DIGESTS, (label) => digestKeys[label].map(hexOf)),
      blocks: recordOf(BLOCKS, (label) => hexOf(blockKeys[label])),
      audit: [...(retired?.audit ?? []), { lastRow, key: hexOf(key('audit mac')) }],
    }),
  }
}

const secretKey = (hex: string): KeyObject => createSecretKey(Buffer.from(hex, 'hex'))
const hexOf = (key: KeyObject): string => key.export().toString('hex')
const hmacHex = (text: string, key: KeyObject): string => createHmac('sha256', key).update(text).digest('hex')

const recordOf = <L extends string, V>(labels: readonly L[], valueOf: (label: L) => V): Record<L, V> =>
  Object.fromEntries(labels.map((label) => [label, valueOf(label)])) as Record<L, V>
