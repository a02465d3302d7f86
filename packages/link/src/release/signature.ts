// Signatures of releases: Ed25519 over the exact bytes of the manifest. This file reads nothing but Node: the launcher carries it.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

export const MANIFEST_FILE = 'manifest.json'
/** `<key id> <signature in base64>`, one line. */
export const SIGNATURE_FILE = 'manifest.json.sig'
/** The keys that a Bird trusts: the one in use, and the next ones. */
export const KEYS_FILE = 'release-keys.json'
export const MAX_KEYS = 3
export const MAX_MANIFEST_BYTES = 64 * 1024
export const MAX_SIGNATURE_BYTES = 256

export interface ReleaseKey {
  /** First 16 hex digits of the SHA-256 of the key. */
  readonly id: string
  /** 32 bytes, base64. */
  readonly key: string
}

/** DER of an Ed25519 public key up to its 32 bytes (RFC 8410, section 4). */
const PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

const idOf = (raw: Buffer): string => createHash('sha256').update(raw).digest('hex').slice(0, 16)

function releaseKey(publicKey: KeyObject): ReleaseKey {
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(PREFIX.length)
  return { id: idOf(raw), key: raw.toString('base64') }
}

export function newReleaseKey(): { readonly privateKey: string; readonly key: ReleaseKey } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    key: releaseKey(publicKey),
  }
}

/** The text of `manifest.json.sig`. Throws an Error for a PEM without an Ed25519 private key. */
export function signManifest(manifest: Buffer, pem: string): string {
  const privateKey = createPrivateKey(pem)
  if (privateKey.asymmetricKeyType !== 'ed25519')
    throw new Error(`the key is of the type ${privateKey.asymmetricKeyType}; it must be an Ed25519 key`)
  const { id } = releaseKey(createPublicKey(privateKey))
  return `${id} ${sign(null, manifest, privateKey).toString('base64')}\n`
}

/** Undefined when one of the keys has signed the manifest; else why the signature is refused. */
export function signatureProblem(
  manifest: Buffer,
  signature: string,
  keys: readonly ReleaseKey[],
): string | undefined {
  const [, id = '', text = ''] = /^([0-9a-f]{16}) ([A-Za-z0-9+/]{86}==)\n?$/.exec(signature) ?? []
  if (id === '') return 'its signature is no line of a key id and 64 bytes in base64'
  const known = keys.find((key) => key.id === id)
  if (!known)
    return `it is signed by the key ${id}, which is not trusted here; trusted are ${keys.map((key) => key.id).join(', ') || 'none'}`
  const der = Buffer.concat([PREFIX, Buffer.from(known.key, 'base64')])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, manifest, publicKey, Buffer.from(text, 'base64'))
    ? undefined
    : `its signature by the key ${id} is not of this manifest: it was altered`
}

/** Reads `release-keys.json`. Throws an Error that says what is wrong. */
export function parseKeys(text: string): ReleaseKey[] {
  const keys: unknown = JSON.parse(text)
  if (!Array.isArray(keys) || keys.length > MAX_KEYS)
    throw new Error(`${KEYS_FILE} must be a list of at most ${MAX_KEYS} keys`)
  return keys.map((each: Partial<ReleaseKey> | null) => {
    const raw = Buffer.from(String(each?.key), 'base64')
    if (raw.length !== 32 || each?.id !== idOf(raw))
      throw new Error(
        `${KEYS_FILE} has the key ${String(each?.id)}, whose id and 32 bytes do not fit together`,
      )
    return { id: each.id, key: raw.toString('base64') }
  })
}
