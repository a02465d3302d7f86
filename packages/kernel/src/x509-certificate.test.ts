// What is written here, OpenSSL reads (by `node:crypto`).
import { generateKeyPairSync, sign, X509Certificate, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  alternativeNames,
  authorityKeyIdentifier,
  authorityConstraints,
  distinguishedName,
  endEntityConstraints,
  extendedKeyUsage,
  keyUsage,
  signCertificate,
  subjectKeyIdentifier,
  type CertificateFields,
} from './x509-certificate.ts'

const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const server = generateKeyPairSync('rsa', { modulusLength: 2048 })
const id = Buffer.alloc(20, 7)
const spki = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const signer = {
  keyType: 'ec',
  sign: (body: Buffer) => sign('sha256', body, authority.privateKey),
} as const

const common = {
  serial: Buffer.from([1, 2, 3]),
  issuer: distinguishedName('An authority', 'A company'),
  notBefore: Date.UTC(2026, 0, 1),
  notAfter: Date.UTC(2027, 0, 1),
}
const ofAuthority = new X509Certificate(
  signCertificate(
    {
      ...common,
      subject: distinguishedName('An authority', 'A company'),
      publicKey: spki(authority.publicKey),
      extensions: [authorityConstraints(0), keyUsage('certificates'), subjectKeyIdentifier(id)],
    },
    signer,
  ),
)
const certify = (fields: Partial<CertificateFields>): X509Certificate =>
  new X509Certificate(
    signCertificate(
      {
        ...common,
        subject: distinguishedName('files.example'),
        publicKey: spki(server.publicKey),
        extensions: [
          endEntityConstraints(),
          keyUsage('signatures'),
          extendedKeyUsage('server'),
          alternativeNames(
            ['files.example', '*.tokens.example'],
            [Uint8Array.of(192, 0, 2, 7), Uint8Array.from(Buffer.from('20010db8'.padEnd(32, '0'), 'hex'))],
          ),
          authorityKeyIdentifier(id),
        ],
        ...fields,
      },
      signer,
    ),
  )

it('a server certificate names its hosts, its purpose and its authority', () => {
  const certificate = certify({})
  expect(certificate).toMatchObject({
    subject: 'CN=files.example',
    issuer: 'O=A company\nCN=An authority',
    ca: false,
    keyUsage: ['1.3.6.1.5.5.7.3.1'],
    serialNumber: '010203',
    validFrom: 'Jan  1 00:00:00 2026 GMT',
    validTo: 'Jan  1 00:00:00 2027 GMT',
  })
  const hosts = ['files.example', 'abc.tokens.example', 'a.b.tokens.example', 'example']
  expect(hosts.map((host) => certificate.checkHost(host) !== undefined)).toEqual([true, true, false, false])
  expect(certificate.checkIP('192.0.2.7')).toBe('192.0.2.7')
  expect(certificate.checkIP('2001:db8::')).toBe('2001:db8::')
  expect(ofAuthority.ca).toBe(true)
  expect([certificate.checkIssued(ofAuthority), certificate.verify(authority.publicKey)]).toEqual([
    true,
    true,
  ])
  expect([ofAuthority.verify(authority.publicKey), certificate.verify(server.publicKey)]).toEqual([
    true,
    false,
  ])
})

it('any serial number, name and time comes out as it went in', () => {
  const seconds = fc.integer({ min: 0, max: Date.UTC(2120, 0, 1) / 1000 })
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 19 }),
      fc.string({ unit: fc.constantFrom('a', 'Z', '9', ' ', '-', 'ü', '雀'), minLength: 1, maxLength: 60 }),
      seconds,
      seconds,
      (serial, name, from, to) => {
        const certificate = certify({
          serial,
          issuer: distinguishedName(name),
          subject: distinguishedName(name),
          notBefore: from * 1000,
          notAfter: to * 1000,
        })
        const wanted = Buffer.from(serial)
          .toString('hex')
          .toUpperCase()
          .replace(/^(00)+(?=..)/, '')
        expect(certificate.serialNumber.padStart(2, '0')).toBe(wanted)
        expect(certificate.toLegacyObject().subject['CN']).toBe(name)
        const times = [certificate.validFromDate, certificate.validToDate].map((it) => it.getTime() / 1000)
        expect(times).toEqual([from, to])
      },
    ),
    { numRuns: 30 },
  )
})
