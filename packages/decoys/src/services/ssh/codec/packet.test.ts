import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plain, type Protection } from '../cipher/protection.ts'
import { ciphers } from '../cipher/suite.ts'
import { macs } from '../mac/mac.ts'
import { advance, readPacket, writePacket, type Direction } from './packet.ts'

const keys = (purpose: string, length: number): Buffer =>
  createHash('shake256', { outputLength: length }).update(purpose).digest()
/** A counter that overflows into its upper half with the second block. */
const edgy = (purpose: string, length: number): Buffer =>
  purpose === 'iv' ? Buffer.alloc(length, 0xff) : keys(purpose, length)

const suites: [string, Protection][] = Object.entries(ciphers).flatMap(([name, { isAead, build }]) =>
  (isAead ? [undefined] : Object.keys(macs)).map((mac): [string, Protection] => [
    `${name} ${mac ?? ''}`,
    build(mac === 'hmac-sha1' ? edgy : keys, mac),
  ]),
)
const start = (protection: Protection, sequence = 0): Direction => ({
  protection,
  place: { sequence, packets: 0, blocks: 0 },
})

test.each(suites)(
  '%s: what is sealed opens again, packet after packet, across the end of the numbers',
  (_, protection) => {
    let out = start(protection, 2 ** 32 - 2)
    let into = out
    for (const size of [1, 3, 50, 1500, 35_000, 7]) {
      const payload = randomBytes(size)
      const { bytes, direction } = writePacket(payload, out, randomBytes)
      out = direction
      const read = readPacket(Buffer.concat([bytes, randomBytes(9)]), into)
      if (!read || !('frame' in read) || read.frame.kind !== 'packet') throw new Error('no packet')
      expect(read.frame.payload).toEqual(payload)
      expect(read.length).toBe(bytes.length)
      into = advance(into, read.frame.packetLength)
    }
  },
)

test.each(suites)('%s: no flipped bit goes unnoticed, and half a packet is no packet', (_, protection) => {
  const direction = start(protection)
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
      const direction = start(i === suites.length ? plain : suites[i]![1])
      const read = readPacket(Buffer.from(bytes), direction)
      if (read && 'frame' in read) expect(read.length).toBeLessThanOrEqual(bytes.length)
    }),
    { numRuns: 500 },
  )
})
