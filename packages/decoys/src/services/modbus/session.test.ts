import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frame, REQUESTS } from '../../../lab/modbus/requests.ts'
import { deriveFrom, testContext } from '../../../test/session-context.ts'
import { CONTROLLERS } from '../../machine/controllers.data.ts'
import { newRegisters, type Registers } from './protocol/registers.ts'
import { modbusSession } from './session.ts'

function open(registers: Registers = newRegisters(), now = Date.UTC(2026, 10, 20), seed = 'bird-1') {
  const session = modbusSession(
    registers,
    () => CONTROLLERS[0]!.identity,
  )(testContext({ now: () => now, derive: deriveFrom(seed) }))
  session.open()
  return session
}

/** What is answered behind the unit, as hexadecimal digits. */
function ask(pdu: string, unit = 1, session = open()): string {
  const [reply] = session.receive(frame(pdu, unit))
  const answer = Buffer.from(reply!.send!)
  expect(answer.readUInt16BE(4)).toBe(answer.length - 6)
  return answer.toString('hex', 7)
}

test('registers and coils are read, alike for one Bird and one instant, and otherwise for another Bird', () => {
  expect(ask('03 0000 007d')).toMatch(/^03fa[\da-f]{500}$/)
  expect(ask('03 0000 007d')).toBe(ask('03 0000 007d'))
  expect(ask('03 0000 007d', 1, open(newRegisters(), undefined, 'bird-2'))).not.toBe(ask('03 0000 007d'))
  expect(ask('01 0000 000b')).toMatch(/^0102[\da-f]{4}$/)
  expect(ask('02 ffff 0001')).toMatch(/^0201[\da-f]{2}$/)
})

test('temperatures drift and counters count while nobody writes', () => {
  const at = (minutes: number) =>
    ask('04 0000 007d', 1, open(newRegisters(), Date.UTC(2026, 10, 20, 0, minutes)))
  expect(at(0)).not.toBe(at(30))
  const words = (text: string) => text.slice(4).match(/.{4}/g)!
  const changed = words(at(0)).filter((word, index) => word !== words(at(30))[index])
  expect(changed.length).toBeGreaterThan(10)
  expect(changed.length).toBeLessThan(70)
})

test('what is written is read again, by every client and each function that writes', () => {
  const registers = newRegisters()
  const to = (pdu: string) => ask(pdu, 1, open(registers))
  expect(to('06 0002 1234')).toBe('0600021234')
  expect(to('10 0003 0002 04 000a 0102')).toBe('1000030002')
  expect(to('03 0002 0003')).toBe('03061234000a0102')
  expect(to('06 0004 0012')).toBe('0600040012')
  expect(to('16 0004 00f2 0025')).toBe('16000400f20025')
  expect(to('03 0004 0001')).toBe('03020017')
  expect(to('17 0004 0001 0004 0001 02 beef')).toBe('1702beef')
  expect(to('05 0007 ff00')).toBe('050007ff00')
  expect(to('0f 0008 0003 01 05')).toBe('0f00080003')
  expect(to('01 0007 0004')).toBe('01010b')
})

test('4,096 of what was written are kept', () => {
  const registers = newRegisters()
  for (let address = 0; address < 5_000; address += 1) registers.write('holding', address, 7)
  expect(registers.written()).toBe(4_096)
  expect(registers.read('holding', 4_999, 1, 0)).toBe(7)
})

test.each([
  ['a function that it lacks', '14 00', '9401'],
  ['no register', '03 0000 0000', '8303'],
  ['126 registers', '03 0000 007e', '8303'],
  ['125 up to the end', '03 ff83 007d', '03fa'],
  ['a register behind the end', '03 ffff 0002', '8302'],
  ['2,001 coils', '01 0000 07d1', '8103'],
  ['a coil that is half on', '05 0000 0001', '8503'],
  ['no register to write', '10 0000 0000 00', '9003'],
  ['fewer bytes than it says', '10 0000 0002 04 0000', '9003'],
  ['a diagnosis that it lacks', '08 0001 0000', '8801'],
  ['the echo', '08 0000 a537', '080000a537'],
  ['a transport that it lacks', '2b 0d 00', 'ab01'],
  ['a code of identification that is none', '2b 0e 05 00', 'ab03'],
  ['an object that is none', '2b 0e 04 07', 'ab02'],
])('%s is answered as the specification orders', (_, pdu, expected) => {
  expect(ask(pdu).startsWith(expected)).toBe(true)
})

test('units 1 and 255 answer, and others are behind a gateway', () => {
  for (const unit of [1, 255]) expect(ask('08 0000 0001', unit)).toBe('0800000001')
  for (const unit of [0, 2, 247]) expect(ask('08 0000 0001', unit)).toBe('880b')
})

test('its identity is sent whole, and the server id has its product', () => {
  const text = (pdu: string) => Buffer.from(ask(pdu), 'hex').toString('latin1')
  expect(text('2b 0e 01 00')).toBe(
    '+\x0e\x01\x82\0\0\x03\0\x12Schneider Electric\x01\x0aTM221CE24R\x02\x05V1.12',
  )
  expect(text('2b 0e 04 05')).toBe('+\x0e\x04\x82\0\0\x01\x05\x0aTM221CE24R')
  expect(text('11')).toBe('\x11\x24Schneider Electric TM221CE24R V1.12\xff')
})

test('a frame in pieces is answered like a whole one, and several in a segment each', () => {
  const session = open()
  const bytes = frame('08 0000 a537')
  for (const byte of bytes.subarray(0, -1)) expect(session.receive(Buffer.from([byte]))).toEqual([])
  expect(session.receive(bytes.subarray(-1))).toHaveLength(1)
  expect(session.receive(Buffer.concat([bytes, bytes, bytes]))).toHaveLength(3)
})

test('another protocol, and a length of 0 or 65,535, is answered once, and closes', () => {
  for (const head of ['00010000000001 03', '00010000ffff01 03', '000100010006 01 03', '474554202f20 48 54']) {
    const [reply] = open().receive(Buffer.from(head.replaceAll(' ', ''), 'hex'))
    expect(reply).toMatchObject({ close: 'end' })
    expect(Buffer.from(reply!.send!)).toHaveLength(9)
  }
})

test('each request raises its event', () => {
  const eventOf = (pdu: string, unit = 1) => open().receive(frame(pdu, unit))[0]?.events?.[0]
  expect(eventOf('03 0000 000a')).toEqual({
    logtype: '18002',
    fields: { UNIT_ID: 1, FUNC_CODE: 3, FUNC_NAME: 'Read Holding Registers', SFUNC_CODE: '', SFUNC_NAME: '' },
  })
  expect(eventOf('06 0000 000a', 9)).toMatchObject({ logtype: '18003', fields: { UNIT_ID: 9 } })
  expect(eventOf('2b 0e 01 00')).toMatchObject({
    logtype: '18001',
    fields: { SFUNC_CODE: 14, SFUNC_NAME: 'Read Device Identification' },
  })
})

test('no garbage makes the session throw', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(REQUESTS.length - 1),
      fc.nat(20),
      (bytes, which, at) => {
        const replies = open().receive(Buffer.concat([REQUESTS[which]!.subarray(0, at), Buffer.from(bytes)]))
        for (const { error } of replies) expect(error).toBeUndefined()
      },
    ),
    { numRuns: 500 },
  )
})
