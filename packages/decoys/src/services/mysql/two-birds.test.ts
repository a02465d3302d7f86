// What a MySQL server makes for itself at its first start or for each visitor: no two Birds may share it.
import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveFrom } from '../../../test/session-context.ts'
import { serverCertificate } from './protocol/certificate.ts'
import { passwordKey } from './protocol/password-key.ts'

const NOW = Date.UTC(2026, 10, 20, 9, 39, 2)

test('a Bird keeps its certificate after a restart, and no other Bird has its key', async () => {
  const [own, again, other] = await Promise.all(
    ['bird-1', 'bird-1', 'bird-2'].map((seed) => serverCertificate(deriveFrom(seed), '8.0.42', NOW)),
  )
  expect(again).toEqual(own)
  expect(other!.key).not.toBe(own!.key)
  const [ownRead, otherRead] = [new X509Certificate(own!.cert), new X509Certificate(other!.cert)]
  expect(otherRead.publicKey.equals(ownRead.publicKey)).toBe(false)
  // Both name the same authority, as two MySQL servers do, and neither is signed by the other's.
  expect(otherRead.issuer).toBe(ownRead.issuer)
})

test('a Bird keeps the key that encrypts passwords, and no other Bird has it', async () => {
  const [own, again, other] = await Promise.all(
    ['bird-1', 'bird-1', 'bird-2'].map((seed) => passwordKey(deriveFrom(seed))),
  )
  expect(again!.publicKey).toEqual(own!.publicKey)
  expect(other!.publicKey).not.toEqual(own!.publicKey)
})
