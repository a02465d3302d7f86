import { expect, test } from 'vitest'
import { drawFrom } from '../../../test/draw.ts'
import { readClientHello, withProtocol } from './client-hello.ts'

const bytes = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
const vector = (lengthBytes: number, content: Buffer): Buffer => {
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(content.length, 0, lengthBytes)
  return bytes(length, content)
}
const extension = (type: number, content: Buffer): Buffer => bytes(Buffer.from([0, type]), vector(2, content))
const sni = extension(0, vector(2, bytes('\0', vector(2, bytes('nas.lan')))))
const alpn = extension(16, vector(2, bytes(vector(1, bytes('h2')), vector(1, bytes('http/1.1')))))

const hello = (extensions: Buffer | undefined): Buffer => {
  const fields = bytes('\x03\x03', Buffer.alloc(32, 7), '\0', vector(2, bytes('\x13\x01')), '\x01\0')
  const body = bytes('\x01', vector(3, extensions ? bytes(fields, vector(2, extensions)) : fields))
  return bytes('\x16\x03\x01', vector(2, body))
}

test('name, protocols and version are read, and what is missing is empty', () => {
  expect(readClientHello(hello(bytes(sni, alpn)))).toEqual({
    version: 0x0303,
    ciphers: [0x1301],
    serverName: 'nas.lan',
    protocols: ['h2', 'http/1.1'],
    groups: [],
    keyShares: [],
    pskIdentities: [],
  })
  expect(readClientHello(hello(undefined))).toEqual({
    version: 0x0303,
    ciphers: [0x1301],
    serverName: '',
    protocols: [],
    groups: [],
    keyShares: [],
    pskIdentities: [],
  })
})

test('a hello is rewritten to offer one protocol, whatever it offered', () => {
  for (const offered of [bytes(sni, alpn), bytes(alpn, sni), sni]) {
    const rewritten = withProtocol(bytes(hello(offered), 'rest'), 'http/1.1')
    expect(readClientHello(rewritten)).toMatchObject({ serverName: 'nas.lan', protocols: ['http/1.1'] })
    expect(rewritten.subarray(-4).toString()).toBe('rest')
  }
})

test('every part of a hello is incomplete, and no part of anything else is', () => {
  const whole = hello(bytes(sni, alpn))
  for (let length = 0; length < whole.length; length += 1)
    expect(readClientHello(whole.subarray(0, length))).toBe('incomplete')
  for (const text of [
    'G',
    'GET /',
    '\x80\x2e\x01',
    '\x16\x02',
    '\x16\x03\x01\xff\xff',
    '\x16\x03\x01\0\x04\x02',
  ])
    expect(readClientHello(Buffer.from(text, 'latin1')), text).toBe('none')
})

test('20,000 mutated hellos are read without a throw', () => {
  const seed = `${process.pid}-${process.hrtime.bigint()}`
  const draw = drawFrom(seed)
  const whole = hello(bytes(sni, alpn))
  for (let round = 0; round < 20_000; round += 1) {
    const mutated = Buffer.from(whole)
    for (let change = draw.int(4); change >= 0; change -= 1) mutated[draw.int(mutated.length)] = draw.int(256)
    expect(() => readClientHello(mutated.subarray(0, draw.int(mutated.length + 1))), seed).not.toThrow()
  }
})

test('a version above TLS 1.2 counts only in its extension', () => {
  const later = hello(undefined)
  later[10] = 5
  expect(readClientHello(later)).toMatchObject({ version: 0x0303 })
})

test('sessions that a client would resume by TLS 1.3 are read', () => {
  const identity = (name: string): Buffer => bytes(vector(2, bytes(name)), '\0\0\0\x01')
  const psk = extension(
    41,
    bytes(vector(2, bytes(identity('one'), identity('two'))), vector(2, bytes('binder'))),
  )
  expect(readClientHello(hello(psk))).toMatchObject({ pskIdentities: [bytes('one'), bytes('two')] })
  expect(readClientHello(hello(extension(41, bytes('\0\xff\0'))))).toMatchObject({ pskIdentities: [] })
})
