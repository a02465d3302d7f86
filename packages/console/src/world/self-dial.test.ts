import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, it } from 'vitest'
import { CERTIFICATE, CERTIFICATE_KEY } from '../../test/certificate.ts'
import { listen, unusedPort } from '../../test/listen.ts'
import { parseRanges } from '../addresses/ranges.ts'
import { openSelfDial } from './self-dial.ts'

const nothingPrivate = parseRanges('', 'allow')

/** A listener on loopback that says one word; answers its port. */
const greeter = (): Promise<number> => listen(createServer((socket) => socket.end('hello')))

const zones: Readonly<Record<string, readonly string[]>> = {
  'tokens.test': ['127.0.0.1'],
  'files.test': ['127.0.0.1'],
  'inside.test': ['10.0.0.7'],
}
const resolver = { addresses: (name: string) => Promise.resolve([...(zones[name] ?? [])]) }

const dial = (host: string, port: number, ownPort = port, allow = nothingPrivate) =>
  openSelfDial(allow, resolver).stream({
    to: { host, port },
    own: [{ host: 'tokens.test', port: ownPort }],
    timeoutMs: 2_000,
    isTls: false,
    talk: (received) => (received.length >= 5 ? 'end' : undefined),
  })

it('reaches where the console is advertised, by any name of that address', async () => {
  const port = await greeter()
  for (const host of ['tokens.test', 'files.test', '127.0.0.1']) {
    const { address, received } = await dial(host, port)
    expect([address, Buffer.from(received).toString()]).toEqual(['127.0.0.1', 'hello'])
  }
})

it('reaches no other port of that address, and no other private address', async () => {
  const [port, other] = [await greeter(), await greeter()]
  await expect(dial('tokens.test', other, port)).rejects.toThrow(
    `tokens.test (127.0.0.1) port ${other} is neither public nor where this console is advertised`,
  )
  await expect(dial('inside.test', port)).rejects.toThrow(/10\.0\.0\.7/)
  await expect(dial('169.254.169.254', port)).rejects.toThrow(/169\.254\.169\.254/)
  await expect(dial('nowhere.test', port)).rejects.toThrow('nowhere.test has no address.')
  await expect(dial('tokens.test', other, port, parseRanges('127.0.0.0/8', 'allow'))).resolves.toBeDefined()
})

it('says why clients refuse a certificate, and goes on', async () => {
  const port = await listen(
    createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (socket) => socket.end('hello')),
  )
  const { received, certificateFailure } = await openSelfDial(nothingPrivate, resolver).stream({
    to: { host: 'files.test', port },
    own: [{ host: 'tokens.test', port }],
    timeoutMs: 2_000,
    isTls: true,
    talk: () => undefined,
  })
  expect(Buffer.from(received).toString()).toBe('hello')
  expect(certificateFailure).toMatch(/self.signed|DEPTH_ZERO/i)
})

it('says that a connection was refused', async () => {
  const closed = await unusedPort()
  await expect(dial('tokens.test', closed)).rejects.toThrow(
    `127.0.0.1 port ${closed}: the connection was refused.`,
  )
})

it('sends a datagram to an advertised address alone', async () => {
  const { datagram } = openSelfDial(nothingPrivate, resolver)
  const own = [{ host: 'tokens.test', port: 9 }]
  expect(
    await datagram({ to: { host: 'tokens.test', port: 9 }, own, timeoutMs: 1_000 }, Buffer.from('x')),
  ).toBe('127.0.0.1')
  await expect(
    datagram({ to: { host: 'tokens.test', port: 53 }, own, timeoutMs: 1_000 }, Buffer.from('x')),
  ).rejects.toThrow(/neither public nor where/)
})
