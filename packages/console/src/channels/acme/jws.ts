// Requests to an ACME server are signed with the key of the account (RFC 8555, 6.2; RFC 7515; RFC 7638).
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type KeyObject,
} from 'node:crypto'

export interface AccountKey {
  readonly privateKey: KeyObject
  /** The public key as JWK, its members in the order of RFC 7638. */
  readonly jwk: Readonly<Record<'crv' | 'kty' | 'x' | 'y', string>>
}

export interface SignedHeader {
  readonly nonce: string
  readonly url: string
  /** The URL of the account; without it the request says the whole public key. */
  readonly kid?: string | undefined
}

/** A private key of P-256, as PEM. */
export const newKeyPem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()

export function openAccountKey(pem: string): AccountKey {
  const privateKey = createPrivateKey(pem)
  const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { privateKey, jwk: { crv: 'P-256', kty: 'EC', x, y } }
}

/** The body of a POST; without a payload it is a POST-as-GET (RFC 8555, 6.3). */
export function signedBody(
  { privateKey, jwk }: AccountKey,
  { nonce, url, kid }: SignedHeader,
  payload: object | undefined,
): string {
  const header = encoded(
    JSON.stringify({ alg: 'ES256', nonce, url, ...(kid === undefined ? { jwk } : { kid }) }),
  )
  const content = payload === undefined ? '' : encoded(JSON.stringify(payload))
  const bytes = Buffer.from(`${header}.${content}`)
  // RFC 7518, 3.4: both numbers, 32 bytes each.
  const signature = sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return JSON.stringify({ protected: header, payload: content, signature: signature.toString('base64url') })
}

/** What the TXT record of a challenge says (RFC 8555, 8.1 and 8.4). */
export const challengeText = ({ jwk }: Pick<AccountKey, 'jwk'>, token: string): string =>
  digest(`${token}.${digest(JSON.stringify(jwk))}`)

const encoded = (text: string): string => Buffer.from(text).toString('base64url')
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')
