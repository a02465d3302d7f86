import { expect, it } from 'vitest'
import { closeNotify, withoutAlerts } from './handshake-alert.ts'

const hex = (bytes: Buffer): string => bytes.toString('hex')
const record = (type: number, ...content: readonly number[]): Buffer =>
  Buffer.from([type, 3, 3, 0, content.length, ...content])

it('takes alerts out from among other records, wherever they stand', () => {
  const [hello, alert, done] = [record(22, 2, 0), record(21, 2, 40), record(22, 14)]
  expect(hex(withoutAlerts(Buffer.concat([alert, hello, alert, done, alert])))).toBe(
    hex(Buffer.concat([hello, done])),
  )
  expect(withoutAlerts(alert)).toHaveLength(0)
  expect(hex(withoutAlerts(hello.subarray(0, 3)))).toBe(hex(hello.subarray(0, 3)))
})

/** A ClientHello without ciphers and extensions. */
function hello(version: number): Buffer {
  const body = Buffer.concat([
    Buffer.from([version >> 8, version & 0xff]),
    Buffer.alloc(32),
    Buffer.from('0000000100', 'hex'),
  ])
  const length = body.length
  return Buffer.concat([record(22, 1, 0, 0, length).fill(length + 4, 4, 5), body])
}

it.each([
  [0x0301, '15030100020100'],
  [0x0302, '15030200020100'],
  [0x0303, '15030300020100'],
  [0x0300, '15030300020100'],
  [0x0304, '15030300020100'],
])('closes with the version of a hello of %i', (version, alert) => {
  expect(hex(closeNotify(hello(version)))).toBe(alert)
})

it('closes in TLS 1.2 what is no hello', () => {
  expect(hex(closeNotify(Buffer.from('GET / HTTP/1.0')))).toBe('15030300020100')
  expect(hex(closeNotify(Buffer.alloc(0)))).toBe('15030300020100')
})
