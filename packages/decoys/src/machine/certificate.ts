// A self-signed certificate of a machine. It derives from the Bird's seed, so that it is the same after every restart, and each
// Bird has another.
import { createHash, createPublicKey, sign } from 'node:crypto'
import { certificatePem, signCertificate } from '@rookery/kernel/x509-certificate.ts'
import type { Derive } from './draw.ts'
import { findPrime } from './primes.ts'
import { rsaKey } from './rsa-key.ts'

/** Key and certificate as PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** What the program that makes a certificate writes into it. */
export interface CertificateForm {
  /** Another purpose has another key. */
  readonly label: string
  /** Of the RSA key. */
  readonly bits: number
  readonly hash: 'sha1' | 'sha256'
  /** Subject and issuer, in DER. */
  readonly name: Buffer
  /** `drawn` are 20 bytes that look random. */
  readonly serial: (drawn: Buffer) => Buffer
  /** Milliseconds UTC. */
  readonly notBefore: number
  readonly notAfter: number
  /** `keyId` is the SHA-1 of the public key (RFC 5280, 4.2.1.2). */
  readonly extensions: (keyId: Buffer) => readonly Buffer[]
}

const SERIAL_BYTES = 20

const made = new Map<string, Promise<Certificate>>()

/** The primes are searched on the thread pool, once for each Bird, label and time; resolves after some tenths of a second. */
export function selfSigned(derive: Derive, form: CertificateForm): Promise<Certificate> {
  const { label, bits, name, notBefore } = form
  const id = `${derive(`${label}/certificate/id`, 16).toString('hex')} ${bits} ${name.toString('hex')} ${notBefore}`
  const known = made.get(id) ?? makeCertificate(derive, form)
  made.set(id, known)
  return known
}

async function makeCertificate(derive: Derive, form: CertificateForm): Promise<Certificate> {
  const { label, bits, hash, name, notBefore, notAfter } = form
  const seed = (prime: string): Buffer => derive(`${label}/certificate/rsa/${bits}/${prime}`, bits / 16)
  const [p, q] = await Promise.all([findPrime(seed('p')), findPrime(seed('q'))])
  const { privateKey } = rsaKey(p, q)
  const publicKey = createPublicKey(privateKey)
  const keyId = createHash('sha1').update(publicKey.export({ type: 'pkcs1', format: 'der' }))
  const fields = {
    serial: form.serial(derive(`${label}/certificate/serial`, SERIAL_BYTES)),
    issuer: name,
    subject: name,
    notBefore,
    notAfter,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    extensions: form.extensions(keyId.digest()),
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
