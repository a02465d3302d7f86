import fc from 'fast-check'
import { expect, it } from 'vitest'
import { responseReader } from './response.ts'

const body = (length: number): string => 'x'.repeat(length)
const withLength = (status: number, length: number): string =>
  `HTTP/1.1 ${status} Whatever\r\nServer: Apache\r\nContent-Length: ${length}\r\n\r\n${body(length)}`
const chunked = (lengths: readonly number[]): string =>
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n' +
  lengths.map((length) => `${length.toString(16)}\r\n${body(length)}\r\n`).join('') +
  '0\r\n\r\n'

const response = fc.oneof(
  fc.record({ status: fc.constantFrom(200, 204, 500), length: fc.nat(3_000) }).map(({ status, length }) => ({
    text: withLength(status, length),
    status,
  })),
  fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 4 }).map((lengths) => ({
    text: chunked(lengths),
    status: 200,
  })),
)

it('finds the end of every response, however it is cut into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(response, { minLength: 1, maxLength: 5 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 1_500 })),
      (responses, cuts) => {
        const found: [number, number][] = []
        const read = responseReader((status, bytes) => found.push([status, bytes]))
        for (const { text } of responses) {
          const bytes = Buffer.from(text, 'latin1')
          for (let at = 0; at < bytes.length;) {
            const size = Number(cuts.next().value)
            read(bytes.subarray(at, at + size))
            at += size
          }
        }
        expect(found).toEqual(responses.map(({ status, text }) => [status, text.length]))
      },
    ),
  )
})

it('tells that the server closes behind a response', () => {
  const found: boolean[] = []
  const read = responseReader((_status, _bytes, closes) => found.push(closes))
  for (const connection of ['keep-alive', 'close'])
    read(Buffer.from(`HTTP/1.1 200 OK\r\nConnection: ${connection}\r\nContent-Length: 0\r\n\r\n`))
  expect(found).toEqual([false, true])
})
