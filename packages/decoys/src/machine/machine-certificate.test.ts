import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { deriveFrom } from '../../test/session-context.ts'
import { machineCertificate } from './machine-certificate.ts'
import { storyOf } from './story.ts'

const NOW = Date.UTC(2026, 10, 20, 9, 39, 2)
const DAY_MS = 86_400_000

async function certificateOf(settings: Readonly<Record<string, unknown>>, seed = 'bird-1', now = NOW) {
  const derive = deriveFrom(seed)
  const story = storyOf(settings, derive)
  const { key, cert } = await machineCertificate(story, derive, now)
  return { key, cert, story, x509: new X509Certificate(cert) }
}

const LINUX = { 'https.enabled': true, 'http.skin': 'apache-default' }
const IIS = { 'https.enabled': true, 'http.skin': 'iis-default' }
const ROUTER = { 'https.enabled': true, 'http.skin': 'router' }
const PLC = { 'https.enabled': true, 'http.skin': 'basic-auth', 'modbus.enabled': true }
const PRINTER = { 'https.enabled': true, 'http.skin': 'printer' }

test.each([LINUX, IIS, ROUTER, PLC, PRINTER])(
  'with %j a Bird has the same certificate after a restart, and no other Bird has its key or serial',
  async (settings) => {
    const [own, other] = await Promise.all([certificateOf(settings), certificateOf(settings, 'bird-2')])
    vi.resetModules()
    const restarted = await import('./machine-certificate.ts')
    expect(await restarted.machineCertificate(own.story, deriveFrom('bird-1'), NOW)).toEqual({
      key: own.key,
      cert: own.cert,
    })
    expect(own.x509.serialNumber).not.toBe(other.x509.serialNumber)
    const keys = [own, other].map(({ x509 }) => x509.publicKey.export({ type: 'spki', format: 'pem' }))
    expect(keys[0]).not.toBe(keys[1])
    expect(own.x509.publicKey.asymmetricKeyDetails).toEqual({ modulusLength: 2048, publicExponent: 65_537n })
    expect(own.x509.verify(own.x509.publicKey)).toBe(true)
    expect(own.x509.checkPrivateKey(createPrivateKey(own.key))).toBe(true)
  },
)

test('Debian’s make-ssl-cert names the machine, for ten years since it was installed', async () => {
  const { x509, story } = await certificateOf(LINUX)
  expect(x509).toMatchObject({
    subject: `CN=${story.hostName}`,
    issuer: `CN=${story.hostName}`,
    subjectAltName: `DNS:${story.hostName}`,
    keyUsage: undefined,
    ca: false,
  })
  expect(x509.validFromDate.getTime()).toBe(story.installedAt)
  expect(x509.validToDate.getTime()).toBe(story.installedAt + 3_650 * DAY_MS)
  expect(x509.serialNumber).toMatch(/^[0-7][\dA-F]{30,39}$/)
})

test('New-SelfSignedCertificate of Windows writes the usages of a server and a client, and one year', async () => {
  const { x509, story } = await certificateOf(IIS)
  expect(x509).toMatchObject({
    subject: `CN=${story.hostName}`,
    issuer: `CN=${story.hostName}`,
    subjectAltName: `DNS:${story.hostName}`,
    keyUsage: ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1'],
    signatureAlgorithm: 'sha256WithRSAEncryption',
  })
  expect(x509.serialNumber).toMatch(/^[0-7][\dA-F]{31}$/)
  // Key usage stands first and is critical: digitalSignature and keyEncipherment.
  const usage = Buffer.from('0603551d0f0101ff0404030205a0', 'hex')
  expect(x509.raw.includes(usage)).toBe(true)
  // The name is a PrintableString, as CertStrToName writes it.
  expect(x509.raw.includes(Buffer.from(`\x06\x03\x55\x04\x03\x13\x0f${story.hostName}`, 'latin1'))).toBe(true)
  const from = x509.validFromDate
  const to = new Date(from.getTime() + 20 * 60_000)
  to.setUTCFullYear(to.getUTCFullYear() + 1)
  expect(x509.validToDate).toEqual(to)
})

test.each(Array.from({ length: 8 }, (_, at) => at))(
  'a Windows server’s certificate is never over: it is a new one before the year ends (after %i × 97 days)',
  async (count) => {
    const now = NOW + count * 97 * DAY_MS
    const { x509 } = await certificateOf(IIS, 'bird-1', now)
    expect(x509.validFromDate.getTime()).toBeLessThan(now)
    expect(x509.validToDate.getTime()).toBeGreaterThan(now)
  },
)

test('a member of a domain is named in full', async () => {
  const domain = { 'smb.netbios_domain.enabled': true, 'smb.domain': 'corp.example' }
  const { x509, story } = await certificateOf({ ...IIS, ...domain })
  expect(x509.subject).toBe(`CN=${story.hostName}.corp.example`)
})

test('a printer shows Brother’s preset certificate', async () => {
  const { x509 } = await certificateOf(PRINTER)
  expect(x509).toMatchObject({
    subject: 'CN=Preset Certificate',
    issuer: 'CN=Preset Certificate',
    subjectAltName: undefined,
    validFrom: 'Jan  1 00:00:00 2000 GMT',
    validTo: 'Dec 30 23:59:59 2049 GMT',
  })
})

test('a router shows the certificate that TP-Link’s make at their first start, for five years', async () => {
  const { x509 } = await certificateOf(ROUTER)
  expect(x509).toMatchObject({ subject: 'C=CN\nCN=tplinkwifi.net', issuer: 'C=CN\nCN=tplinkwifi.net' })
  expect(x509.validFromDate.toISOString()).toMatch(/T16:00:[2-4]\d\.000Z$/)
  expect(x509.validToDate.getTime() - x509.validFromDate.getTime()).toBe(1_825 * DAY_MS)
})

test('the search for the key leaves the thread to others', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()
  await certificateOf(LINUX, `bird-${performance.now()}`)
  isOver = true
  // A search that blocks leaves two or three.
  expect(turns).toBeGreaterThan(20)
})
