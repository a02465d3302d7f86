// Whether a certificate and a key of the owner's own are a pair that a TLS server takes; each reason by its setting.
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { createSecureContext } from 'node:tls'

const CERTIFICATE = 'https.certificate'
const KEY = 'https.key'

/** Both texts are PEM; both empty is right, too. The value of the key is in no reason. */
export function certificateProblem(cert: unknown, key: unknown): Record<string, string> {
  if (typeof cert !== 'string' || typeof key !== 'string' || (cert === '' && key === '')) return {}
  if (key === '') return { [KEY]: 'is missing: https.certificate needs the private key that belongs to it' }
  if (cert === '') return { [CERTIFICATE]: 'is missing: https.key needs the certificate that belongs to it' }
  const certificate = parsed(() => new X509Certificate(cert))
  if (!certificate)
    return { [CERTIFICATE]: 'must be a certificate as PEM, which begins with -----BEGIN CERTIFICATE-----' }
  const privateKey = parsed(() => createPrivateKey(key))
  if (!privateKey)
    return {
      [KEY]:
        'must be a private key as PEM without a passphrase, which begins with -----BEGIN PRIVATE KEY-----',
    }
  if (!certificate.checkPrivateKey(privateKey))
    return {
      [KEY]: `must be the key of https.certificate (${subjectOf(certificate)}): it is that of another`,
    }
  return contextProblem(cert, key, privateKey)
}

const parsed = <T extends X509Certificate | KeyObject>(parse: () => T): T | undefined => {
  try {
    return parse()
  } catch {
    return undefined
  }
}

const subjectOf = ({ subject }: X509Certificate): string =>
  JSON.stringify((subject ?? '').replaceAll('\n', ', ').slice(0, 100))

/** What OpenSSL refuses at its level of security, such as RSA keys below 2,048 bits. */
function contextProblem(
  cert: string,
  key: string,
  { asymmetricKeyType, asymmetricKeyDetails }: KeyObject,
): Record<string, string> {
  if (asymmetricKeyType !== 'rsa' && asymmetricKeyType !== 'ec')
    return { [KEY]: `must be an RSA or an EC key, not ${asymmetricKeyType ?? 'one of another kind'}` }
  try {
    createSecureContext({ cert, key })
    return {}
  } catch (error) {
    const bits = asymmetricKeyDetails?.modulusLength
    const size = bits === undefined ? '' : `; its key has ${bits} bits`
    const why = error instanceof Error ? error.message.replace(/^error:\w+:/, '') : String(error)
    return { [CERTIFICATE]: `must be one that TLS servers take (OpenSSL: ${why})${size}` }
  }
}
