// A client's proof of its certificate (RFC 7523, 2.2; Microsoft identity platform, "Certificate credentials").
import { constants, createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto'

export interface AssertionFacts {
  readonly clientId: string
  /** The address of the token, for which alone the assertion is good. */
  readonly audience: string
  /** Milliseconds UTC. */
  readonly at: number
  /** Of this assertion alone: 16 bytes that nobody can foresee. */
  readonly id: Uint8Array
}

const LIFETIME_S = 600

/** `pem` is a certificate with its private key. */
export function clientAssertion(pem: string, { clientId, audience, at, id }: AssertionFacts): string {
  const thumbprint = createHash('sha256').update(new X509Certificate(pem).raw).digest('base64url')
  const issuedAt = Math.floor(at / 1000)
  const signed = [
    { alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint },
    {
      aud: audience,
      iss: clientId,
      sub: clientId,
      jti: Buffer.from(id).toString('hex'),
      iat: issuedAt,
      nbf: issuedAt,
      exp: issuedAt + LIFETIME_S,
    },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = {
    key: createPrivateKey(pem),
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  }
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}
