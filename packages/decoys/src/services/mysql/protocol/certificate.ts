// The certificate that MySQL makes for itself at its first start ("Creating SSL and RSA Certificates and Keys" of its manual): signed by
// an authority of its own, whose key it makes as well.
import { createPublicKey, sign, type KeyObject } from 'node:crypto'
import {
  certificatePem,
  distinguishedName,
  endEntityConstraints,
  signCertificate,
} from '@rookery/kernel/x509-certificate.ts'
import type { Certificate } from '../../../machine/certificate.ts'
import type { Derive } from '../../../machine/draw.ts'
import { findPrime } from '../../../machine/primes.ts'
import { rsaKey } from '../../../machine/rsa-key.ts'

const PRIME_BYTES = 128
const DAYS = 3_650
const DAY_MS = 86_400_000
/** The authority has 1, the client's certificate 3. */
const SERIAL = 2

const made = new Map<string, Promise<Certificate>>()

/** `release` is `8.0.42`; `notBefore` in milliseconds UTC. Resolves after some tenths of a second, once for each Bird. */
export function serverCertificate(derive: Derive, release: string, notBefore: number): Promise<Certificate> {
  const id = `${derive('dbsrv_b/certificate/id', 16).toString('hex')} ${release} ${notBefore}`
  const known = made.get(id) ?? makeCertificate(derive, release, notBefore)
  made.set(id, known)
  return known
}

async function makeCertificate(derive: Derive, release: string, notBefore: number): Promise<Certificate> {
  const [authority, privateKey] = await Promise.all([makeKey(derive, 'authority'), makeKey(derive, 'server')])
  const name = (owner: string): Buffer =>
    distinguishedName(`MySQL_Server_${release}_Auto_Generated_${owner}_Certificate`)
  const fields = {
    serial: Buffer.from([SERIAL]),
    issuer: name('CA'),
    subject: name('Server'),
    notBefore,
    notAfter: notBefore + DAYS * DAY_MS,
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    extensions: [endEntityConstraints()],
  }
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: certificatePem(
      signCertificate(fields, { keyType: 'rsa', sign: (body) => sign('sha256', body, authority) }),
    ),
  }
}

async function makeKey(derive: Derive, owner: string): Promise<KeyObject> {
  const seed = (prime: string): Buffer => derive(`dbsrv_b/certificate/${owner}/${prime}`, PRIME_BYTES)
  const [p, q] = await Promise.all([findPrime(seed('p')), findPrime(seed('q'))])
  return rsaKey(p, q).privateKey
}
