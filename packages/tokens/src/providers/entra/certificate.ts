// The certificate by which an app of the directory signs in, and its private key.
import { createHash, generateKeyPair, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { pem } from '@rookery/kernel/der.ts'
import { certificatePem, distinguishedName, signCertificate } from '@rookery/kernel/x509-certificate.ts'

export interface AppCertificate {
  readonly der: Buffer
  /** Key and certificate, as `az ad sp create-for-rbac --create-cert` writes them. */
  readonly pem: string
  /** SHA-1 in hexadecimal digits: by it the directory names the certificate. */
  readonly thumbprint: string
  /** Milliseconds UTC. */
  readonly notBefore: number
  readonly notAfter: number
}

const RSA_BITS = 2_048
const DAY_MS = 86_400_000
const LIFETIME_DAYS = 730

/** `serial`: 16 bytes. `at`: milliseconds UTC; it is valid from a day before, whatever the clocks say. */
export async function makeAppCertificate(at: number, serial: Uint8Array): Promise<AppCertificate> {
  const keys = await promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS })
  const notBefore = Math.floor(at / 1000) * 1000 - DAY_MS
  const notAfter = notBefore + LIFETIME_DAYS * DAY_MS
  // The name that the Azure CLI gives such a certificate.
  const name = distinguishedName('CLI-Login')
  const der = signCertificate(
    {
      serial: positive(serial),
      issuer: name,
      subject: name,
      notBefore,
      notAfter,
      extensions: [],
      publicKey: keys.publicKey.export({ type: 'spki', format: 'der' }),
    },
    { keyType: 'rsa', sign: (body) => sign('sha256', body, keys.privateKey) },
  )
  const key = keys.privateKey.export({ type: 'pkcs8', format: 'der' })
  return {
    der,
    notBefore,
    notAfter,
    pem: pem('PRIVATE KEY', key) + certificatePem(der),
    thumbprint: createHash('sha1').update(der).digest('hex').toUpperCase(),
  }
}

/** A serial number is positive, and never zero (RFC 5280, 4.1.2.2). */
function positive(bytes: Uint8Array): Buffer {
  const serial = Buffer.from(bytes)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  return serial
}
