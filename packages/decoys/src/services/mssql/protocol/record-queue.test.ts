// Records go to OpenSSL one by one, and what follows the first packet of a login in clear is kept.
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { packet, TYPE } from '../../../../lab/mssql/client.ts'
import { oneByOne } from './record-queue.ts'

const NOTHING = Buffer.alloc(0)
const record = (type: number, length: number): Buffer =>
  Buffer.concat([Buffer.from([type, 3, 3, length >> 8, length & 0xff]), Buffer.alloc(length, type)])

const FINISHED = record(22, 40)
/** Of TLS 1.0, before each other one. */
const EMPTY = record(23, 32)
const LOGIN = record(23, 400)
const CLEAR = packet(TYPE.login, Buffer.alloc(200))

test('however they are cut, records up to that of the login are handed out, and packets in clear are kept', () => {
  const stream = Buffer.concat([FINISHED, EMPTY, LOGIN, CLEAR])
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 6 }), (cuts) => {
      const queue = oneByOne()
      const edges = [0, ...cuts.sort((a, b) => a - b), stream.length]
      const parts = edges
        .slice(1)
        .map((end, i) => [edges[i], end])
        .filter(([start, end]) => start !== end)
      const taken = parts.map(([start, end]) => queue.take(stream.subarray(start, end)))
      expect(Buffer.concat(taken)).toEqual(Buffer.concat([FINISHED, EMPTY, LOGIN]))
      expect(queue.kept()).toEqual(CLEAR)
    }),
  )
})

test('whatever comes, no more is kept than a login may have, and nothing is lost', () => {
  const chunk = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(NOTHING, LOGIN, EMPTY, CLEAR, FINISHED, Buffer.from('1703034000', 'hex')),
    fc.constant(Buffer.alloc(60_000, 23)),
  )
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 30 }), (chunks) => {
      const queue = oneByOne()
      const taken = chunks.map((bytes) => queue.take(bytes))
      expect(Buffer.concat([...taken, queue.kept()]).equals(Buffer.concat(chunks))).toBe(true)
      expect(queue.kept().length).toBeLessThan(140_000)
    }),
  )
})

test('a login in two records is handed out in two steps', () => {
  const queue = oneByOne()
  expect(queue.take(Buffer.concat([LOGIN, LOGIN, CLEAR]))).toEqual(LOGIN)
  expect(queue.take(NOTHING)).toEqual(LOGIN)
  expect(queue.kept()).toEqual(CLEAR)
})

test('what is no record goes to OpenSSL: while no login has come, in place of its rest, and when too much waits', () => {
  expect(oneByOne().take(CLEAR)).toEqual(CLEAR)
  const queue = oneByOne()
  queue.take(Buffer.concat([LOGIN, CLEAR]))
  expect(queue.take(NOTHING)).toEqual(CLEAR)
  const flooded = oneByOne()
  flooded.take(LOGIN)
  expect(flooded.take(Buffer.alloc(200_000)).length).toBe(200_000)
  expect(oneByOne().take(Buffer.from('170303ffff', 'hex')).length).toBe(5)
})
