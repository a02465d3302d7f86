import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newReader, readSegment } from './codec.ts'
import { bytes, DO, IAC, SB, WILL } from './commands.ts'

/** All that a stream says, as text. */
function readAll(segments: readonly string[]): string[] {
  const reader = newReader()
  const heard: string[] = []
  for (const segment of segments)
    readSegment(reader, Buffer.from(segment, 'latin1'), {
      data: (byte) => (heard.push(`data ${byte}`), false),
      command: (command) => heard.push(`command ${command}`),
      negotiate: (verb, option) => heard.push(`${verb} ${option}`),
      subnegotiation: (content) => heard.push(`subnegotiation ${content.join(' ')}`),
    })
  return heard
}

test('data, commands, negotiations and subnegotiations are kept apart', () => {
  const stream = `a${bytes(IAC, IAC, IAC, 246, IAC, DO, 24, IAC, SB, 24, 0, IAC, IAC, 65, IAC, 240)}b`
  expect(readAll([stream])).toEqual([
    'data 97',
    'data 255',
    'command 246',
    '253 24',
    'subnegotiation 24 0 255 65',
    'data 98',
  ])
})

test('a subnegotiation without an end ends at the next command', () => {
  expect(readAll([bytes(IAC, SB, 31, 1, IAC, WILL, 3, 120)])).toEqual([
    'subnegotiation 31 1',
    '251 3',
    'data 120',
  ])
})

test('a subnegotiation is read up to 510 bytes', () => {
  const [heard] = readAll([bytes(IAC, SB, 24) + 'x'.repeat(100_000) + bytes(IAC, 240)])
  expect(heard?.split(' ')).toHaveLength(511)
})

test('however a stream is cut, it says the same', () => {
  const byte = fc.oneof(fc.constantFrom(IAC, SB, 240, WILL, DO), fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 60 }), (codes) => {
      expect(readAll([...bytes(...codes)])).toEqual(readAll([bytes(...codes)]))
    }),
  )
})
