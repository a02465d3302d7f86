import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unencrypted, type Protection } from '../cipher/protection.ts'
import { ciphers } from '../cipher/ciphers.ts'
import { macs } from '../mac/mac.ts'
import { advance, newDirection, readPacket, writePacket } from './packet.ts'

const keys = (purpose: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(purpose).digest()
/** An initial counter block that overflows into its upper half at the second block. */
const overflowingIv = (purpose: string, length: number): Buffer =>
  purpose === 'iv' ? Buffer.alloc(length, 0xff) : keys(purpose, length)

const suites: [string, Protection][] = Object.entries(ciphers).flatMap(([name, { isAead, build }]) =>
  (isAead ? [undefined] : Object.keys(macs)).map((mac): [string, Protection] => [
    `${name} ${mac ?? ''}`,
    build(mac === 'hmac-sha1' ? overflowingIv : keys, mac),
  ]),
)

test.each(suites)(
  '%s: sealed packets open again, one after another, when the sequence number wraps around',
  (_, protection) => {
    let outbound = newDirection(protection, 2 ** 32 - 2)
    let inbound = outbound
    for (const size of [1, 3, 50, 1500, 35_000, 7]) {
      const payload = randomBytes(size)
      const { bytes, direction } = writePacket(payload, outbound, randomBytes)
      outbound = direction
      const read = readPacket(Buffer.concat([bytes, randomBytes(9)]), inbound)
      if (!read || !('frame' in read) || read.frame.kind !== 'packet') throw new Error('no packet')
      expect(read.frame.payload).toEqual(payload)
      expect(read.length).toBe(bytes.length)
      inbound = advance(inbound, read.frame.packetLength)
    }
  },
)

test.each(suites)('%s: a flipped bit is noticed, and an incomplete packet is not read', (_, protection) => {
  const direction = newDirection(protection)
  const { bytes } = writePacket(Buffer.from('a payload of some length'), direction, randomBytes)
  for (let bit = 0; bit < bytes.length * 8; bit += 7) {
    const damaged = Buffer.from(bytes)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    const read = readPacket(damaged, direction)
    expect(read && 'frame' in read ? read.frame.kind : 'corrupt').toBe('corrupt')
  }
  for (let size = 0; size < bytes.length; size += 1) {
    const read = readPacket(bytes.subarray(0, size), direction)
    expect(read && 'frame' in read).toBeFalsy()
  }
})

test('no bytes make the packet reader throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(suites.length), (bytes, i) => {
      const direction = newDirection(i === suites.length ? unencrypted : suites[i]![1])
      const read = readPacket(Buffer.from(bytes), direction)
      if (read && 'frame' in read) expect(read.length).toBeLessThanOrEqual(bytes.length)
    }),
    { numRuns: 500 },
  )
})
