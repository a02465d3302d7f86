import fc from 'fast-check'
import { expect, it } from 'vitest'
import { connectPacket, publishPacket, readAnswers } from './mqtt-packets.ts'

const hexOf = (bytes: Buffer): string => bytes.toString('hex')
const ANSWERS = Buffer.from('20020005' + '40021234' + 'd000', 'hex')

it('packets are as the standard draws them', () => {
  const will = { topic: 'a/b', payload: 'off', retain: true }
  const packet = connectPacket({ clientId: 'rk', user: 'u', password: 'p', keepAliveS: 60, will })
  expect(hexOf(packet)).toBe(
    [
      '101e',
      '00044d515454',
      '04',
      'ee',
      '003c',
      '0002726b',
      '0003612f62',
      '00036f6666',
      '000175',
      '000170',
    ].join(''),
  )
  expect(hexOf(connectPacket({ clientId: 'rk', user: '', password: '', keepAliveS: 0 }))).toBe(
    ['100e', '00044d515454', '04', '02', '0000', '0002726b'].join(''),
  )
  expect(hexOf(publishPacket({ topic: 'ä', payload: 'x', retain: false }, 10))).toBe('32070002c3a4000a78')
  // 2.2.3, table 2.4: 16,384 needs a third byte.
  const long = publishPacket({ topic: 't', payload: 'x'.repeat(16_379), retain: true }, 1)
  expect(hexOf(long.subarray(0, 4))).toBe('33808001')
})

it('answers are read however they are cut, and nothing else is taken for one', () => {
  fc.assert(
    fc.property(fc.nat(ANSWERS.length), (cut) => {
      const first = readAnswers(ANSWERS.subarray(0, cut))
      const second = readAnswers(Buffer.concat([first?.rest ?? Buffer.alloc(0), ANSWERS.subarray(cut)]))
      expect([...(first?.answers ?? []), ...(second?.answers ?? [])]).toEqual([
        { type: 'connack', code: 5 },
        { type: 'puback', id: 0x1234 },
        { type: 'pingresp' },
      ])
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const read = readAnswers(Buffer.from(bytes))
      if (read) expect(read.rest.length).toBeLessThan(4)
    }),
  )
  for (const wrong of ['2003', '30', '4802', 'd001', '485454502f312e31']) {
    expect(readAnswers(Buffer.from(wrong, 'hex')), wrong).toBeUndefined()
  }
})
