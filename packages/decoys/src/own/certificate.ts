// A self-signed certificate as Debian's make-ssl-cert makes it (ssl-cert 1.1.2): RSA of 2,048 bits, ten years. It derives
// from the Bird's seed, so that it is the same after every restart, and each Bird has another.
import { createHash, sign } from 'node:crypto'
import {
  bitString,
  der,
  explicit,
  nothing,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  unsigned,
  utf8String,
} from '@rookery/kernel/der.ts'
import { findPrime } from './primes.ts'
import { rsaKey, type RsaKey } from './rsa-key.ts'

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
  const key = rsaKey(p, q)
  const serial = derive(`${subject.label}/certificate/serial`, 20)
  // OpenSSL draws 159 bits, so that the number is positive.
  serial[0]! &= 0x7f
  return {
    key: key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem(signed(toBeSigned(subject, serial, key), key)),
  }
}

const SHA256_WITH_RSA = sequence(objectIdentifier('1.2.840.113549.1.1.11'), nothing)
const RSA_ENCRYPTION = sequence(objectIdentifier('1.2.840.113549.1.1.1'), nothing)
const BASIC_CONSTRAINTS = '2.5.29.19'
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17'
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14'
/** A GeneralName of the kind dNSName. */
const DNS_NAME = 0x82

/** TBSCertificate (RFC 5280, 4.1). */
function toBeSigned({ commonName, notBefore }: CertificateSubject, serial: Buffer, key: RsaKey): Buffer {
  const name = sequence(set(sequence(objectIdentifier('2.5.4.3'), utf8String(commonName))))
  const publicKey = sequence(unsigned(key.modulus), unsigned(key.exponent))
  return sequence(
    explicit(0, unsigned(Buffer.from([2]))),
    unsigned(serial),
    SHA256_WITH_RSA,
    name,
    sequence(time(notBefore), time(notBefore + DAYS * DAY_MS)),
    name,
    sequence(RSA_ENCRYPTION, bitString(publicKey)),
    explicit(
      3,
      sequence(
        extension(BASIC_CONSTRAINTS, sequence()),
        extension(SUBJECT_ALTERNATIVE_NAME, sequence(der(DNS_NAME, Buffer.from(commonName)))),
        extension(SUBJECT_KEY_IDENTIFIER, octetString(createHash('sha1').update(publicKey).digest())),
      ),
    ),
  )
}

const extension = (id: string, value: Buffer): Buffer => sequence(objectIdentifier(id), octetString(value))

const signed = (toBeSigned: Buffer, { privateKey }: RsaKey): Buffer =>
  sequence(toBeSigned, SHA256_WITH_RSA, bitString(sign('sha256', toBeSigned, privateKey)))

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`
