// The certificate that SQL Server makes for itself at its start, when it was given none: no extension, thirty years, and a name
// in UCS-2.
import { createPublicKey, sign } from 'node:crypto'
import { der, objectIdentifier, sequence, set } from '@rookery/kernel/der.ts'
import { certificatePem, signCertificate } from '@rookery/kernel/x509-certificate.ts'
import type { Certificate } from '../../own/certificate.ts'
import { bootedAt } from '../../own/boot-time.ts'
import type { Derive } from '../../own/draw.ts'
import { findPrime } from '../../own/primes.ts'
import { rsaKey } from '../../own/rsa-key.ts'
import type { Version } from './versions.ts'

const NAME = 'SSL_Self_Signed_Fallback'
const YEARS = 30
const BMP_STRING = 0x1e
const COMMON_NAME = '2.5.4.3'
/** The server starts so long after its machine, at most. */
const MOST_START_MS = 90_000

const made = new Map<string, Promise<Certificate>>()

/** Derives from the Bird's seed and the last start; resolves after some tenths of a second, once for each. */
export function fallbackCertificate(
  derive: Derive,
  kind: Version['certificate'],
  now: number,
): Promise<Certificate> {
  const startedAt = startOf(derive, now)
  const id = `${derive('dbsrv_a/certificate/id', 16).toString('hex')} ${kind.bits} ${startedAt}`
  const known = made.get(id) ?? makeCertificate(derive, kind, startedAt)
  made.set(id, known)
  return known
}

/** To the second. */
function startOf(derive: Derive, now: number): number {
  const afterBoot = derive('dbsrv_a/started', 4).readUInt32BE() % MOST_START_MS
  return Math.floor(Math.min(bootedAt(derive, now) + afterBoot, now) / 1_000) * 1_000
}

async function makeCertificate(
  derive: Derive,
  { bits, hash }: Version['certificate'],
  notBefore: number,
): Promise<Certificate> {
  const seed = (prime: string): Buffer =>
    derive(`dbsrv_a/certificate/${notBefore}/rsa/${bits}/${prime}`, bits / 16)
  const [p, q] = await Promise.all([findPrime(seed('p')), findPrime(seed('q'))])
  const { privateKey } = rsaKey(p, q)
  const notAfter = new Date(notBefore)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS)
  const name = fallbackName()
  const fields = {
    serial: serialNumber(derive(`dbsrv_a/certificate/${notBefore}/serial`, 16)),
    issuer: name,
    subject: name,
    notBefore,
    notAfter: notAfter.getTime(),
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    extensions: [],
  }
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: certificatePem(
      signCertificate(fields, {
        keyType: hash === 'sha1' ? 'rsa-sha1' : 'rsa',
        sign: (body) => sign(hash, body, privateKey),
      }),
    ),
  }
}

/** Windows takes UCS-2 for a name with an underscore, which PrintableString does not have. */
const fallbackName = (): Buffer =>
  sequence(
    set(sequence(objectIdentifier(COMMON_NAME), der(BMP_STRING, Buffer.from(NAME, 'utf16le').swap16()))),
  )

/** A GUID of version 4 (RFC 9562, 5.4) as a number that is positive: its bytes in the other order. */
function serialNumber(bytes: Buffer): Buffer {
  const serial = Buffer.from(bytes)
  serial[0] = serial[0]! & 0x7f || 1
  serial[7] = 0x80 | (serial[7]! & 0x3f)
  serial[8] = 0x40 | (serial[8]! & 0x0f)
  return serial
}
