// One connection: what follows a delayed answer, TLS behind answers that wait, and memory that waits for slow readers.
import { once } from 'node:events'
import { connect } from 'node:net'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { afterEach, expect, test } from 'vitest'
import { lineListener, lines } from '../../../test/line-service.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { connectTo } from '../../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../../test/test-host.ts'
import { firstFlight, readFrom, secureLines, testTls, tlsClient } from '../../../test/tls-lines.ts'
import type { SessionDefinition, Step } from '../../session/session.ts'
import type { Host, HostOptions } from '../host.ts'

const opened: Host[] = []
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())))

async function listen(definition: SessionDefinition<number, string>, over: Partial<HostOptions> = {}) {
  const { host, touches } = openTestHost(over)
  opened.push(host)
  await host.apply([lineListener(443, 'line', definition)])
  return { host, touches, port: portOf(host) }
}

/** Lines of which one leads to another step. */
const linesWith = (
  line: string,
  make: (state: number) => Step<number>,
): SessionDefinition<number, string> => {
  const secure = secureLines(false)
  return {
    ...secure,
    step: (state, frame, context) => (frame === line ? make(state) : secure.step(state, frame, context)),
  }
}

/** Takes so much of the core, however fast it is. */
function compute(ms: number): void {
  const used = (): number => process.threadCpuUsage().user / 1_000
  const from = used()
  while (used() - from < ms);
}

test('lines that compute are all answered and recorded, in their order, and a visitor of another decoy meanwhile', async () => {
  const computing = linesWith('think', (state) => {
    compute(30)
    return {
      state: state + 1,
      events: [{ logtype: '21001', fields: { LINE: 'think', N: state } }],
      send: `${state}\n`,
    }
  })
  const { host, touches } = await listen(computing)
  await host.apply([lineListener(443, 'line', computing), lineListener(21, 'other')])
  const clients = [1, 2].map(() => connectTo(portOf(host), { allowHalfOpen: true }))
  for (const client of clients) {
    client.write('think\nthink\nthink\n')
    client.socket.end()
  }
  const visitor = connectTo(portOf(host, 'other'))
  visitor.write('bye\n')
  expect(await visitor.until(/bye\n/)).toBe('hello\nbye\n')
  // The last of six lines waits until the others are paid for, and that takes longer than a visit.
  expect(touches.filter(({ fields }) => fields['LINE'] === 'think').length).toBeLessThan(6)
  for (const client of clients) expect(await client.until(/2\n/)).toBe('hello\n0\n1\n2\n')
  expect(touches.filter(({ fields }) => fields['LINE'] === 'think')).toHaveLength(6)
})

test('a delayed answer is followed by the one that is computed behind it', async () => {
  const event = { logtype: '21001', fields: { LINE: 'think' } }
  const later = () => Promise.resolve({ state: 1, send: 'thought\n' })
  const { port, touches } = await listen(
    linesWith('think', (state) => ({ state, events: [event], send: 'hm\n', delayMs: 5, later })),
  )
  const client = connectTo(port)
  client.write('think\nnext\n')
  expect(await client.until(/next\n/)).toBe('hello\nhm\nthought\nnext\n')
  expect(touches.map(({ fields }) => fields['LINE'])).toEqual(['think', 'next'])
  client.socket.destroy()
})

test('a peer that ends its side gets the last answers, and the last word of the session', async () => {
  const definition: SessionDefinition<number, string> = {
    ...lines,
    ended: (state, unread) => ({ state, send: `unread ${unread.toString()}\n` }),
  }
  const { port } = await listen(definition)
  for (const [sent, said] of [
    ['one\ntw', 'hello\none\nunread tw\n'],
    ['later\n', 'hello\nlater\nunread \n'],
    ['bye\nx', 'hello\nbye\n'],
  ] as const) {
    const client = connectTo(port, { allowHalfOpen: true })
    await client.until(/hello/)
    client.socket.end(sent)
    client.socket.on('end', () => client.socket.destroy())
    expect(await client.closed).toEqual({ text: said, reset: false })
  }
})

test('TLS begins behind an answer that is delayed', async () => {
  const { port } = await listen(
    linesWith('SLOW TLS', (state) => ({ state, send: 'go ahead\n', delayMs: 5, tls: testTls })),
  )
  const plain = connectTo(port)
  plain.write('SLOW TLS\n')
  await plain.until(/go ahead\n/)
  plain.socket.removeAllListeners('data')
  const socket = tlsClient({ socket: plain.socket })
  await readFrom(socket)(/secured .*\n/)
  socket.destroy()
})

test('a peer that is slow to read what came before TLS is served within it, up to its end', async () => {
  const long = Buffer.alloc(16_000_000, 'x')
  const { port } = await listen(linesWith('LONG TLS', (state) => ({ state, send: long, tls: testTls })))
  const plain = connect({ port, host: '127.0.0.1' })
  plain.write('LONG TLS\n')
  let received = 0
  for await (const bytes of plain.iterator({ destroyOnReturn: false })) {
    received += (bytes as Buffer).length
    if (received === long.length + 'hello\n'.length) break
  }
  const socket = tlsClient({ socket: plain })
  const until = readFrom(socket)
  await until(/secured .*\n/)
  socket.end('one\n')
  expect(await until(/one\n/)).toMatch(/one\n$/)
  await once(socket, 'close')
})

test('a deadline comes whatever the peer sends meanwhile, and a later one takes its place', async () => {
  const clock = manualClock()
  const arms = { 'limit 20': 20_000, 'limit 10': 10_000 } as Readonly<Record<string, number>>
  const { port } = await listen(
    {
      ...lines,
      step: (state, line, context) =>
        arms[line] === undefined
          ? lines.step(state, line, context)
          : { state, send: 'armed\n', wakeMs: arms[line] },
      wake: (state) => ({ state, send: 'too late\n', close: 'end' }),
    },
    { clock },
  )
  const client = connectTo(port)
  client.write('limit 20\n')
  await client.until(/armed\n/)
  clock.advance(15_000)
  client.write('limit 10\n')
  await client.until(/armed\narmed\n/)
  for (const drip of ['a', 'b', 'c']) {
    clock.advance(3_000)
    client.write(`${drip}\n`)
    await client.until(new RegExp(`${drip}\n`))
  }
  client.write('half a li')
  clock.advance(1_000)
  expect((await client.closed).text).toBe('hello\narmed\narmed\na\nb\nc\ntoo late\n')
})

const noCertificate = { ...testTls, certificate: { key: 'none', cert: 'none' } }

test('TLS that cannot be opened costs the connection, and is counted, wherever its handshake begins', async () => {
  const { port, host } = await listen(secureLines(false, noCertificate))
  const hello = await firstFlight()
  const together = connectTo(port)
  together.write(Buffer.concat([Buffer.from('STARTTLS\n'), hello]))
  await together.closed
  const apart = connectTo(port)
  apart.write('STARTTLS\n')
  await apart.until(/go ahead/)
  apart.write(hello)
  await apart.closed
  expect(host.stats.errors).toBe(2)
})

test.each([
  ['what waits for each is too little to stop reading from it', lines, false],
  ['it waits to be encrypted', secureLines(true), true],
])('peers that read nothing are closed when too much waits for all: %s', async (_, definition, isTls) => {
  const stalled = limit(`test_bytes_unsent_${isTls ? 'tls' : 'plain'}`, 0)
  const limits = { unsentBytes: withMax(stalled, 4_000_000), ...(!isTls && { highWaterBytes: 1e9 }) }
  const { host, port } = await listen(definition, { limits })
  const deaf = Array.from({ length: 10 }, () => {
    const socket = isTls ? tlsClient({ port }) : connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.write('big\n'.repeat(200))
    return socket
  })
  await expect.poll(() => stalled.hits()).toBeGreaterThan(0)
  await expect.poll(() => host.stats.openConnections).toBeLessThan(10)
  for (const socket of deaf) socket.destroy()
})
