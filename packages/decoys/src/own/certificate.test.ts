import { createPrivateKey, X509Certificate } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { deriveFrom } from '../../test/session-context.ts'
import { birdCertificate } from './certificate.ts'

const subject = { label: 'https', commonName: 'nas-3f2a1c', notBefore: Date.UTC(2025, 3, 1, 9, 12, 44) }

test('a Bird has the same certificate after a restart, and no other Bird has its key or serial', async () => {
  const [own, other] = await Promise.all([
    birdCertificate(deriveFrom('bird-1'), subject),
    birdCertificate(deriveFrom('bird-2'), subject),
  ])
  vi.resetModules()
  const restarted = await import('./certificate.ts')
  expect(await restarted.birdCertificate(deriveFrom('bird-1'), subject)).toEqual(own)
  const [a, b] = [new X509Certificate(own.cert), new X509Certificate(other.cert)]
  expect(a.serialNumber).not.toBe(b.serialNumber)
  expect(a.publicKey.export({ type: 'spki', format: 'pem' })).not.toBe(
    b.publicKey.export({ type: 'spki', format: 'pem' }),
  )
})

test('OpenSSL reads what Debian’s make-ssl-cert writes: name, ten years, three extensions, own signature', async () => {
  const { key, cert } = await birdCertificate(deriveFrom('bird-1'), subject)
  const certificate = new X509Certificate(cert)
  expect(certificate).toMatchObject({
    subject: 'CN=nas-3f2a1c',
    issuer: 'CN=nas-3f2a1c',
    subjectAltName: 'DNS:nas-3f2a1c',
    ca: false,
    validFrom: 'Apr  1 09:12:44 2025 GMT',
    validTo: 'Mar 30 09:12:44 2035 GMT',
  })
  expect(certificate.serialNumber).toMatch(/^[0-7][\dA-F]{30,39}$/)
  expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ modulusLength: 2048, publicExponent: 65_537n })
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
})

test('the search for the key leaves the thread to others', async () => {
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()
  await birdCertificate(deriveFrom(`bird-${performance.now()}`), subject)
  isOver = true
  // A search that blocks leaves two or three.
  expect(turns).toBeGreaterThan(20)
})
