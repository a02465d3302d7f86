import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { abort, ack, data, FILES, readRequest, words, writeRequest } from '../../../../../lab/tftp/client.ts'
import { probes } from '../../../../../lab/tftp/tftpd-hpa/corpus.ts'
import { readAnswers } from '../../../../../test/probe.ts'
import { replay } from '../../../../../test/replay.ts'
import { testContext } from '../../../../../test/session-context.ts'
import { tftpSession } from './session.ts'

const server = tftpSession(() => FILES)

function begin(...datagrams: readonly Buffer[]) {
  const session = server(testContext())
  session.open()
  const hear = (datagram: Buffer) => {
    const replies = session.receive(datagram)
    for (const { error } of replies) if (error !== undefined) throw error as Error
    return replies[0]
  }
  return { session, hear, replies: datagrams.map(hear) }
}

const fieldsOf = (replies: readonly ({ events?: readonly { fields: object }[] } | undefined)[]) =>
  replies.flatMap((reply) => reply?.events ?? []).map(({ fields }) => fields)

test('each probe is answered as tftpd-hpa 5.2 answers it', () => {
  const answers = readAnswers(new URL('../../../../../lab/tftp/tftpd-hpa/', import.meta.url))
  expect(probes.length).toBeGreaterThanOrEqual(300)
  const different = probes.flatMap((probe) => {
    const [real, ours] = [answers[probe.name]?.text, replay(probe, server).text]
    return real === ours ? [] : [{ name: probe.name, real: real?.slice(0, 80), ours: ours.slice(0, 80) }]
  })
  expect(different).toEqual([])
})

test('a request raises its event before it is answered from a port of its own', () => {
  const { replies } = begin(readRequest('../startup-config', 'NetASCII'))
  expect(replies[0]).toMatchObject({
    events: [
      { logtype: '10001', fields: { FILENAME: '../startup-config', OPCODE: 'READ', MODE: 'NetASCII' } },
    ],
    from: 'fresh',
    close: 'end',
  })
})

test('an upload raises a second event when it has ended, with its size and hash, and is kept nowhere', () => {
  const { replies } = begin(writeRequest('boot.bin'), data(1, 'a'.repeat(512)), data(2, 'b'))
  const common = { FILENAME: 'boot.bin', OPCODE: 'WRITE', MODE: 'octet' }
  const SHA256 = createHash('sha256')
    .update(`${'a'.repeat(512)}b`)
    .digest('hex')
  expect(fieldsOf(replies)).toEqual([common, { ...common, SIZE: 513, SHA256 }])
  expect(String(begin(readRequest('boot.bin')).replies[0]?.send)).toContain('File not found')
})

test('an upload that is broken off is reported as far as it came, one without data is not', () => {
  const { session, hear } = begin(writeRequest('a'), data(1, 'x'.repeat(512)))
  expect(hear(abort(0, ''))?.close).toBe('end')
  expect(session.closed()).toMatchObject([{ logtype: '10001', fields: { FILENAME: 'a', SIZE: 512 } }])
  expect(begin(writeRequest('a')).session.closed()).toEqual([])
})

test('more than 16 MiB find the disk full', () => {
  const { session, hear } = begin(writeRequest('a', 'octet', [['blksize', '65464']]))
  const text = 'x'.repeat(65_464)
  for (let block = 1; block <= 256; block += 1) expect(hear(data(block, text))?.close).toBeUndefined()
  expect(hear(data(257, text))).toMatchObject({ close: 'end' })
  expect(session.closed()[0]?.fields['SIZE']).toBe(257 * 65_464)
})

test('what is not acknowledged is sent again after 1, 2, 4 … seconds, and given up after a minute', () => {
  const { session, replies } = begin(readRequest('long'))
  expect(replies[0]?.wakeMs).toBe(1_000)
  for (const wakeMs of [2_000, 4_000, 8_000, 16_000, 32_000])
    expect(session.wake()).toMatchObject({ send: replies[0]!.send, wakeMs })
  expect(session.wake()).toMatchObject({ close: 'end' })
})

test('block numbers go on behind 65,535 where the client wants them to', () => {
  for (const [rollover, next] of [
    ['0', 0],
    ['1', 1],
  ] as const) {
    const { hear } = begin(
      writeRequest('a', 'octet', [
        ['blksize', '8'],
        ['rollover', rollover],
      ]),
    )
    for (let block = 1; block <= 65_535; block += 1) hear(data(block, '12345678'))
    expect(hear(data(next, '1'))?.send).toEqual(ack(next))
  }
})

test('only a request begins anything', () => {
  for (const datagram of [ack(0), data(1, 'x'), abort(0, ''), words(6, 'tsize', '1'), Buffer.from([0])]) {
    const { replies } = begin(datagram)
    expect([replies[0]?.send, replies[0]?.events]).toEqual([undefined, undefined])
  }
})

test('a name without its NUL is refused, and is an event', () => {
  const { replies } = begin(Buffer.from('\0\x01startup-config'))
  expect(String(replies[0]?.send)).toBe('\0\x05\0\x04Request not null-terminated\0')
  expect(fieldsOf(replies)).toHaveLength(1)
})

test('no garbage makes a session throw', () => {
  const datagram = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => Buffer.from(bytes)),
    fc.tuple(fc.nat(7), fc.array(fc.string({ maxLength: 9 }))).map(([op, parts]) => words(op, ...parts)),
    fc.constantFrom(
      readRequest('long'),
      readRequest('exact', 'octet', [['blksize', '8']]),
      writeRequest('a'),
    ),
    fc
      .tuple(fc.nat(3), fc.boolean())
      .map(([block, isAck]) => (isAck ? ack(block) : data(block, 'x'.repeat(512)))),
  )
  fc.assert(
    fc.property(fc.array(datagram, { maxLength: 12 }), (sent) => void begin(...sent)),
    { numRuns: 500 },
  )
})
