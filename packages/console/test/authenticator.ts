// An authenticator of a test's own: it makes passkeys (ES256) and signs challenges as a browser's would (WebAuthn, level 3).
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export interface Passkey {
  readonly id: string
  readonly rpId: string
  readonly key: KeyObject
  readonly user: string
}

interface Options {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
}

/** UP, UV; with AT where it carries a key. */
const FLAGS = 0x05
const AT = 0x40

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

const clientData = (type: 'create' | 'get', challenge: string, origin: string): string =>
  JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false })

const authData = (rpId: string, flags: number, counter: number): Buffer => {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags, 0)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpId), tail])
}

/** A passkey for these options, and what the browser at `origin` answers. */
export function makePasskey(options: Options, origin: string): { passkey: Passkey; response: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const rpId = options.rp?.id ?? ''
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const data = Buffer.concat([
    authData(rpId, FLAGS | AT, 0),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    cose,
  ])
  // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
  const attestation = Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
    Buffer.from([data.length]),
    data,
  ])
  const response = {
    id: base64(id),
    rawId: base64(id),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64(clientData('create', options.challenge, origin)),
      attestationObject: base64(attestation),
      transports: ['internal'],
    },
  }
  const passkey = { id: base64(id), rpId, key: privateKey, user: options.user?.id ?? '' }
  return { passkey, response: JSON.stringify(response) }
}

/** What the browser at `origin` answers to these options with the passkey. */
export function signWith(
  { id, rpId, key, user }: Passkey,
  options: Options,
  origin: string,
  counter = 0,
): string {
  const data = authData(rpId, FLAGS, counter)
  const json = clientData('get', options.challenge, origin)
  return JSON.stringify({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64(json),
      authenticatorData: base64(data),
      signature: base64(sign('sha256', Buffer.concat([data, sha256(json)]), key)),
      userHandle: user,
    },
  })
}
