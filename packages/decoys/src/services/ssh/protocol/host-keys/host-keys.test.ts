import { createPublicKey, verify } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { deriveFrom } from '../../../../../test/session-context.ts'
import { reader } from '../codec/fields.ts'
import { hostKey, prepareHostKeys } from './host-keys.ts'

const algorithms = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'rsa-sha2-512'] as const

test('a Bird has the same host keys after a restart, and no other Bird has them', async () => {
  const [bird, other] = [deriveFrom('bird-1'), deriveFrom('bird-2')]
  await prepareHostKeys(bird)
  vi.resetModules()
  const restarted = await import('./host-keys.ts')
  for (const algorithm of algorithms) {
    expect(restarted.hostKey(bird, algorithm).blob).toEqual(hostKey(bird, algorithm).blob)
    expect(hostKey(other, algorithm).blob).not.toEqual(hostKey(bird, algorithm).blob)
  }
})

test('the RSA key has 3,072 bits, and each of its algorithms signs with its own hash', () => {
  const key = hostKey(deriveFrom('bird-1'), 'rsa-sha2-512')
  const fields = reader(key.blob)
  expect(fields.string().toString()).toBe('ssh-rsa')
  const [e, n] = [fields.mpint(), fields.mpint()]
  expect(n).toHaveLength(384)
  expect(n[0]! >> 7).toBe(1)
  const publicKey = createPublicKey({
    format: 'jwk',
    key: { kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') },
  })
  for (const [algorithm, hash] of Object.entries({
    'rsa-sha2-512': 'sha512',
    'rsa-sha2-256': 'sha256',
    'ssh-rsa': 'sha1',
  })) {
    const signature = reader(key.sign(algorithm, Buffer.from('text')))
    expect(signature.string().toString()).toBe(algorithm)
    expect(verify(hash, Buffer.from('text'), publicKey, signature.string())).toBe(true)
  }
})
