// The certificate that SQL Server makes for itself, as OpenSSL reads it.
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveFrom } from '../../../../../test/session-context.ts'
import { bootedAt } from '../../../../machine/boot-time.ts'
import { fallbackCertificate } from './certificate.ts'
import { versionNamed } from './profile.ts'

const NOW = Date.UTC(2026, 10, 20, 9, 39, 2)
/** Sizes of the certificate and of what is signed in it, which those of real servers have. */
const SIZES = { '2014': [511, 356], '2019': [772, 488], '2022': [1_028, 616] } as const

test.each([
  ['2014', 1_024, 'sha1WithRSAEncryption'],
  ['2019', 2_048, 'sha256WithRSAEncryption'],
  ['2022', 3_072, 'sha256WithRSAEncryption'],
] as const)(
  'SQL Server %s has a key of %i bits, signed by %s, for thirty years',
  async (name, bits, algorithm) => {
    const { cert } = await fallbackCertificate(deriveFrom('bird-1'), versionNamed(name).certificate, NOW)
    const certificate = new X509Certificate(cert)
    expect(certificate).toMatchObject({
      subject: 'CN=SSL_Self_Signed_Fallback',
      issuer: 'CN=SSL_Self_Signed_Fallback',
      subjectAltName: undefined,
      signatureAlgorithm: algorithm,
    })
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(bits)
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    const [from, to] = [certificate.validFromDate, certificate.validToDate]
    expect(to.getUTCFullYear() - from.getUTCFullYear()).toBe(30)
    expect(to.toISOString().slice(4)).toBe(from.toISOString().slice(4))
    const [whole, signed] = SIZES[name]
    expect([certificate.raw.length, certificate.raw.readUInt16BE(6)]).toEqual([whole, signed])
  },
)

test('its name is UCS-2, and its number a GUID of version 4 in the other order', async () => {
  const { cert } = await fallbackCertificate(deriveFrom('bird-1'), versionNamed('2014').certificate, NOW)
  const { raw, serialNumber } = new X509Certificate(cert)
  expect(raw.includes(Buffer.from('\0S\0S\0L\0_\0S\0e\0l\0f', 'latin1'))).toBe(true)
  expect(serialNumber).toMatch(/^[0-7][0-9A-F]{13}[89AB][0-9A-F]4[0-9A-F]{15}$/)
})

test('a Bird has the same one after a restart, and no other Bird has its key', async () => {
  const kind = versionNamed('2014').certificate
  const [own, again, other] = await Promise.all(
    ['bird-1', 'bird-1', 'bird-2'].map((seed) => fallbackCertificate(deriveFrom(seed), kind, NOW)),
  )
  expect(again).toEqual(own)
  expect(other!.key).not.toBe(own!.key)
})

test('the server makes it when it starts, a little after its machine, and another one at the next start', async () => {
  const [derive, kind] = [deriveFrom('bird-1'), versionNamed('2014').certificate]
  const own = await fallbackCertificate(derive, kind, NOW)
  const boot = bootedAt(derive, NOW)
  const afterBoot = new X509Certificate(own.cert).validFromDate.getTime() - boot
  expect(afterBoot).toBeGreaterThan(-1_000)
  expect(afterBoot).toBeLessThan(90_000)
  expect(await fallbackCertificate(derive, kind, boot + 120_000)).toEqual(own)
  expect((await fallbackCertificate(derive, kind, boot - 1)).key).not.toBe(own.key)
})
