// A self-signed certificate as Debian's make-ssl-cert makes it (ssl-cert 1.1.2): RSA of 2,048 bits, ten years. It derives
// from the Bird's seed, so that it is the same after every restart, and each Bird has another.
import { createHash, createPublicKey, sign } from 'node:crypto'
import {
  alternativeNames,
  certificatePem,
  distinguishedName,
  endEntityConstraints,
  signCertificate,
  subjectKeyIdentifier,
} from '@rookery/kernel/x509-certificate.ts'
import { findPrime } from './primes.ts'
import { rsaKey } from './rsa-key.ts'

/** Key and certificate as PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

export interface CertificateSubject {
  /** Another purpose has another key. */
  readonly label: string
  /** The name of the machine: subject, issuer and alternative name. */
  readonly commonName: string
  /** Milliseconds UTC. */
  readonly notBefore: number
}

type Derive = (label: string, length: number) => Buffer

const PRIME_BYTES = 128
const DAY_MS = 86_400_000
const DAYS = 3_650

const made = new Map<string, Promise<Certificate>>()

/** The primes are searched on the thread pool, once for each Bird and label; resolves after some tenths of a second. */
export function birdCertificate(derive: Derive, subject: CertificateSubject): Promise<Certificate> {
  const { label, commonName, notBefore } = subject
  const id = `${derive(`${label}/certificate/id`, 16).toString('hex')} ${commonName} ${notBefore}`
  const known = made.get(id) ?? makeCertificate(derive, subject)
  made.set(id, known)
  return known
}

async function makeCertificate(derive: Derive, subject: CertificateSubject): Promise<Certificate> {
  const seed = (prime: string): Buffer => derive(`${subject.label}/certificate/rsa/${prime}`, PRIME_BYTES)
  const [p, q] = await Promise.all([findPrime(seed('p')), findPrime(seed('q'))])
  const { privateKey } = rsaKey(p, q)
  const publicKey = createPublicKey(privateKey)
  const serial = derive(`${subject.label}/certificate/serial`, 20)
  // OpenSSL draws 159 bits, so that the number is positive.
  serial[0]! &= 0x7f
  const { commonName, notBefore } = subject
  const keyId = createHash('sha1').update(publicKey.export({ type: 'pkcs1', format: 'der' }))
  const name = distinguishedName(commonName)
  const fields = {
    serial,
    issuer: name,
    subject: name,
    notBefore,
    notAfter: notBefore + DAYS * DAY_MS,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    extensions: [
      endEntityConstraints(),
      alternativeNames([commonName]),
      subjectKeyIdentifier(keyId.digest()),
    ],
  }
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: certificatePem(
      signCertificate(fields, { keyType: 'rsa', sign: (body) => sign('sha256', body, privateKey) }),
    ),
  }
}
