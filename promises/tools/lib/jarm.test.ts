import { expect, test } from 'vitest'
import { ja3sOf, jarmOf, readServerHello } from './jarm.ts'

const hello = (extensions: string): Buffer => {
  const body = `0303${'ab'.repeat(32)}00c03000${extensions}`
  return Buffer.from(`16030300000200${(body.length / 2).toString(16).padStart(4, '0')}${body}`, 'hex')
}

test('a ServerHello is read, an alert is none', () => {
  expect(readServerHello(hello('000fff010001000010000500030268 32'.replace(' ', '')))).toEqual({
    version: 0x0303,
    cipher: 0xc030,
    extensions: [0xff01, 16],
    protocol: 'h2',
  })
  expect(readServerHello(Buffer.from('15030300020228', 'hex'))).toBeUndefined()
  expect(readServerHello(Buffer.alloc(0))).toBeUndefined()
})

test('JARM has three characters of each answer, and 62 zeros where a server refuses all', () => {
  const answer = { version: 0x0303, cipher: 0xc030, extensions: [], protocol: '' }
  // The last 32 are those of SHA-256 of nothing.
  expect(jarmOf([answer, undefined, { ...answer, cipher: 0x1301 }])).toBe(
    '2ad00041de3b0c44298fc1c149afbf4c8996fb924',
  )
  expect(jarmOf(Array.from({ length: 10 }, () => undefined))).toBe('0'.repeat(62))
})

test('JA3S is the MD5 of version, cipher and extensions (its authors’ example)', () => {
  expect(ja3sOf({ version: 769, cipher: 47, extensions: [65281, 0, 11, 35, 5, 16], protocol: '' })).toBe(
    '836ce314215654b5b1f85f97c73e506f',
  )
  expect(ja3sOf(undefined)).toBe('refused')
})
