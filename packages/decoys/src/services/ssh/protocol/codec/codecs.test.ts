import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mpint, reader, string } from './fields.ts'
import { readIdent } from './ident.ts'
import { kexInit, readKexInit } from './kexinit.ts'
import { versions } from '../../products/openssh/versions/all.ts'

test('numbers are written as the examples of RFC 4251, 5', () => {
  const written = (hex: string): string => mpint(Buffer.from(hex, 'hex')).toString('hex')
  expect(written('00')).toBe('00000000')
  expect(written('09a378f9b2e332a7')).toBe('0000000809a378f9b2e332a7')
  expect(written('80')).toBe('000000020080')
})

test('a number is read without leading zeros', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 300n }), (value) => {
      const bytes = Buffer.from(value.toString(16).padStart(80, '0'), 'hex')
      const fields = reader(mpint(bytes))
      const digits = fields.mpint()
      expect(fields.isWhole).toBe(true)
      expect(BigInt(`0x0${digits.toString('hex')}`)).toBe(value)
    }),
  )
})

test('a field that is longer than the message reads as empty, and so does the rest', () => {
  const fields = reader(Buffer.from('ffffffff01', 'hex'))
  expect(fields.string()).toHaveLength(0)
  expect(fields.byte()).toBe(0)
  expect(fields.isIntact).toBe(false)
})

test('an identification gives the same result however it is split', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (noise, isIdent) => {
      const bytes = Buffer.concat([Buffer.from(isIdent ? 'SSH-2.0-' : ''), noise, Buffer.from('\n')])
      const whole = readIdent(bytes)
      let grown: ReturnType<typeof readIdent>
      for (let size = 0; size <= bytes.length && !grown; size += 1) grown = readIdent(bytes.subarray(0, size))
      expect(grown).toEqual(whole)
    }),
  )
})

test('every offer reads as it was written', () => {
  for (const { offer } of versions) {
    const read = readKexInit(kexInit(offer, Buffer.alloc(16)))
    expect(read?.kex).toEqual(offer.kex)
    expect(read?.toClient).toEqual({
      ciphers: offer.ciphers,
      macs: offer.macs,
      compression: offer.compression,
    })
  }
})

test('no bytes make the offer reader throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readKexInit(Buffer.from(bytes))))
  expect(readKexInit(Buffer.concat([Buffer.alloc(17), string('a')]))).toBeUndefined()
})
