// Certificates for servers of tests: an authority of its own, and what it certifies.
import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isIPv4 } from 'node:net'
import {
  alternativeNames,
  authorityKeyIdentifier,
  authorityConstraints,
  certificatePem,
  distinguishedName,
  keyUsage,
  signCertificate,
  subjectKeyIdentifier,
} from '@rookery/kernel/x509-certificate.ts'

export interface Issued {
  readonly key: string
  readonly cert: string
}

export interface TestAuthority extends Issued {
  /** PEM: what a client must trust. */
  readonly ca: string
  /** For a TLS server at these names and IPv4 addresses, from `notBefore` to `notAfter`: by default from a day ago, for 90 days. */
  issue(hosts: readonly string[], times?: Times): Issued
  /** The same for a key of the server's own: its SubjectPublicKeyInfo, DER. */
  certify(hosts: readonly string[], publicKey: Uint8Array, times?: Times): string
}

export interface Times {
  readonly notBefore?: number
  readonly notAfter?: number
}

const DAY_MS = 86_400_000

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const newSerial = (): Buffer => Buffer.concat([Buffer.from([1]), randomBytes(8)])
const spkiOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** `key` and `cert` are for 127.0.0.1 and `collector.test`. */
export function makeAuthority(): TestAuthority {
  const { privateKey, publicKey } = keyPair()
  const name = distinguishedName(`Test Authority ${randomBytes(4).toString('hex')}`)
  const id = randomBytes(20)
  const signer = { keyType: 'ec', sign: (body: Buffer) => sign('sha256', body, privateKey) } as const
  const now = Date.now()
  const fields = { issuer: name, notBefore: now - DAY_MS, notAfter: now + 90 * DAY_MS }
  const ca = signCertificate(
    {
      ...fields,
      notAfter: now + 3_650 * DAY_MS,
      subject: name,
      serial: newSerial(),
      publicKey: spkiOf(publicKey),
      extensions: [authorityConstraints(), keyUsage('certificates'), subjectKeyIdentifier(id)],
    },
    signer,
  )
  const certify: TestAuthority['certify'] = (hosts, certified, times = {}) => {
    const names = alternativeNames(
      hosts.filter((host) => !isIPv4(host)),
      hosts.filter((host) => isIPv4(host)).map((host) => Uint8Array.from(host.split('.').map(Number))),
    )
    const cert = signCertificate(
      {
        ...fields,
        ...times,
        subject: distinguishedName(hosts[0] ?? ''),
        serial: newSerial(),
        publicKey: certified,
        extensions: [names, authorityKeyIdentifier(id)],
      },
      signer,
    )
    return certificatePem(cert)
  }
  const issue: TestAuthority['issue'] = (hosts, times) => {
    const server = keyPair()
    return { key: pemOf(server.privateKey), cert: certify(hosts, spkiOf(server.publicKey), times) }
  }
  return { ca: certificatePem(ca), issue, certify, ...issue(['collector.test', '127.0.0.1']) }
}
