import { createHash, decapsulate, generateKeyPairSync, getDiffieHellman, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { message, reader, string, u32 } from '../codec/fields.ts'
import { exchangeKeys } from './dh-keys.ts'
import { kexMethods } from './methods.ts'
import { moduli } from './moduli.data.ts'
import { x25519 } from './x25519.ts'

test('X25519 gives the output of RFC 7748, 5.2, and both sides find the same secret', () => {
  const known = x25519(
    Buffer.from('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4', 'hex'),
    Buffer.from('e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c', 'hex'),
  )
  expect(known!.secret.toString('hex')).toBe(
    'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552',
  )
  const base = Buffer.from('09'.padEnd(64, '0'), 'hex')
  const [a, b] = [randomBytes(32), randomBytes(32)]
  const [A, B] = [x25519(a, base)!.publicKey, x25519(b, base)!.publicKey]
  expect(x25519(a, B)!.secret).toEqual(x25519(b, A)!.secret)
})

test.each(['modp14', 'modp16', 'modp18'] as const)('both sides of %s find the same secret', async (name) => {
  const client = getDiffieHellman(name)
  const prime = client.getPrime()
  const found = (await exchangeKeys({ prime, generator: 2 }, client.generateKeys()))!
  expect(found.secret).toEqual(client.computeSecret(found.publicKey))
  expect(found.secret).toHaveLength(prime.length)
})

test('both sides of a group of the public list find the same secret', async () => {
  const group = moduli.find(({ bits }) => bits === 3072)!
  const pow = (base: bigint, exponent: bigint, p: bigint): bigint => {
    let result = 1n
    for (const bit of exponent.toString(2)) result = (result * result * (bit === '1' ? base : 1n)) % p
    return result
  }
  const number = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`)
  const bytes = (value: bigint): Buffer =>
    Buffer.from(value.toString(16).padStart(group.prime.length * 2, '0'), 'hex')
  const [p, exponent] = [number(group.prime), number(randomBytes(32))]
  const { publicKey, secret } = (await exchangeKeys(group, bytes(pow(BigInt(group.generator), exponent, p))))!
  expect(secret).toEqual(bytes(pow(number(publicKey), exponent, p)))
})

test('both sides of ML-KEM with X25519 find the same secret (draft-ietf-sshm-mlkem-hybrid-kex, 2.4)', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ml-kem-768')
  const encapsulationKey = publicKey.export({ type: 'spki', format: 'der' }).subarray(-1184)
  const exponent = randomBytes(32)
  const curveKey = x25519(exponent, Buffer.from('09'.padEnd(64, '0'), 'hex'))!.publicKey
  const exchange = (init: Buffer) =>
    kexMethods['mlkem768x25519-sha256']!.receive(message(30, string(init)), randomBytes)
  const done = exchange(Buffer.concat([encapsulationKey, curveKey]))
  if (done.kind !== 'done') throw new Error(done.kind)
  const reply = reader(done.outcome.answer).string()
  expect(reply).toHaveLength(1088 + 32)
  const secret = createHash('sha256')
    .update(decapsulate(privateKey, reply.subarray(0, 1088)))
    .update(x25519(exponent, reply.subarray(1088))!.secret)
    .digest()
  expect(done.outcome.secret).toEqual(string(secret))
  expect(done.outcome.hashed).toEqual(
    Buffer.concat([string(Buffer.concat([encapsulationKey, curveKey])), string(reply)]),
  )
  // A coefficient of 4095 is above 3328 (FIPS 203, 7.2).
  const outOfRange = Buffer.concat([Buffer.alloc(1152, 0xff), encapsulationKey.subarray(1152), curveKey])
  for (const wrong of [outOfRange, encapsulationKey, Buffer.alloc(0), Buffer.alloc(1217)])
    expect(exchange(wrong)).toEqual({ kind: 'refused' })
  const allZeroSecret = Buffer.concat([encapsulationKey, Buffer.alloc(32)])
  expect(exchange(allZeroSecret)).toEqual({ kind: 'refused' })
})

test('a value out of range has no secret', async () => {
  const prime = getDiffieHellman('modp14').getPrime()
  const last = Buffer.from(prime)
  last[last.length - 1]! -= 1
  for (const peer of [Buffer.from([1]), last, prime])
    expect(await exchangeKeys({ prime, generator: 2 }, peer)).toBeUndefined()
})

test('every listed modulus has the size that it is listed with', () => {
  for (const { bits, prime } of moduli) expect(prime.length * 8 - Math.clz32(prime[0]!) + 24).toBe(bits)
  expect(new Set(moduli.map(({ bits }) => bits))).toEqual(new Set([2048, 3072, 4096, 6144, 7680, 8192]))
})

test('a group exchange gives the smallest size that suffices', () => {
  const method = kexMethods['diffie-hellman-group-exchange-sha256']!
  for (const [wanted, bits] of [
    [1024, 2048],
    [2048, 2048],
    [3000, 3072],
    [7000, 7680],
    [8192, 8192],
  ] as const) {
    const result = method.receive(message(34, u32(1024), u32(wanted), u32(8192)), randomBytes)
    if (result.kind !== 'continue') throw new Error(result.kind)
    expect(result.send.readUInt32BE(1)).toBe(bits / 8 + 1)
  }
})

test('no public value makes a method throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(kexMethods).filter((name) => !/group1[68]/.test(name))),
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }).map((bytes) => message(30, string(Buffer.from(bytes)))),
        fc.uint8Array({ maxLength: 40 }).map((bytes) => message(34, Buffer.from(bytes))),
        fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      ),
      (name, payload) => void kexMethods[name]!.receive(payload, randomBytes),
    ),
    { numRuns: 100 },
  )
})
