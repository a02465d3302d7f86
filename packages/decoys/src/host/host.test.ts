import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { afterEach, expect, test } from 'vitest'
import { lineListener, lines } from '../../test/line-service.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { connectTo } from '../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../test/test-host.ts'
import { sessionRunner } from '../session/session-runner.ts'
import type { Host, HostOptions } from './host.ts'
import { localAddresses } from './udp/local-addresses.ts'

const opened: Host[] = []
const open = (over: Partial<HostOptions> = {}) => {
  const test = openTestHost(over)
  opened.push(test.host)
  return test
}
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())))

test('an event carries both addresses and the logical port, and is raised before the answer', async () => {
  const { host, touches } = open()
  await host.apply([lineListener(6379)])
  const client = connectTo(portOf(host))
  client.write('one\n')
  await client.until(/one/)
  expect(touches).toMatchObject([
    {
      instance: 'line',
      logtype: '21001',
      fields: { LINE: 'one' },
      srcHost: '127.0.0.1',
      dstHost: '127.0.0.1',
      dstPort: 6379,
    },
  ])
  expect(touches[0]!.srcPort).toBe(client.socket.localPort)
  client.socket.destroy()
})

test('a client that comes over IPv4 to an IPv6 socket is named by its IPv4 address', async () => {
  const { host, touches } = open({ bind: '::' })
  await host.apply([lineListener(6379)])
  const client = connectTo(portOf(host))
  client.write('one\n')
  await client.until(/one/)
  expect(touches[0]).toMatchObject({ srcHost: '127.0.0.1', dstHost: '127.0.0.1' })
  client.socket.destroy()
})

async function blockedPort() {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  return { port, free: () => new Promise((resolve) => blocker.close(resolve)) }
}

test('a port in use is named, the others listen, and it listens after a retry once it is free', async () => {
  const [taken, other] = [await blockedPort(), await blockedPort()]
  await other.free()
  const { host } = open({ portOffset: 0 })
  const failure = { instance: 'taken', reason: `port ${taken.port} is in use` }
  expect(await host.apply([lineListener(other.port), lineListener(taken.port, 'taken')])).toEqual([failure])
  const client = connectTo(other.port)
  await client.until(/hello/)
  expect(await host.retry()).toEqual([failure])
  await taken.free()
  expect(await host.retry()).toEqual([])
  expect(host.listening().map(({ instance }) => instance)).toEqual(['taken', 'line'])
  client.write('still here\n')
  await client.until(/still here/)
  client.socket.destroy()
})

test('a port above 65535 and a port given twice are named, and one of the two services listens', async () => {
  const { host } = open({ portOffset: 20_000 })
  expect(await host.apply([lineListener(50_000)])).toEqual([
    { instance: 'line', reason: 'port 70000 does not exist: 50000 is too high for the offset' },
  ])
  const { host: other } = open()
  expect(await other.apply([lineListener(1, 'ssh'), lineListener(1, 'ftp')])).toEqual([
    { instance: 'ftp', reason: 'port 1 is given to ssh as well' },
  ])
  expect(other.listening().map(({ instance }) => instance)).toEqual(['ssh'])
})

test('new settings hold for new connections at once, old connections go on, dropped ports are closed', async () => {
  const { host } = open()
  await host.apply([lineListener(1), lineListener(2, 'dropped')])
  const kept = connectTo(portOf(host))
  const dropped = connectTo(portOf(host, 'dropped'))
  await Promise.all([kept.until(/hello/), dropped.until(/hello/)])
  const before = portOf(host)
  const changed = { ...lines, open: () => ({ state: 0, send: 'good morning\n' }) }
  await host.apply([lineListener(1, 'line', changed)])
  expect(portOf(host)).toBe(before)
  await dropped.closed
  await connectTo(before).until(/good morning/)
  kept.write('old\n')
  await kept.until(/old/)
})

test('a close before unread frames reaches the peer as a reset behind the answer, without them as a FIN', async () => {
  const { host } = open()
  await host.apply([lineListener(1)])
  const [reader, pipeliner] = [connectTo(portOf(host)), connectTo(portOf(host))]
  await Promise.all([reader.until(/hello/), pipeliner.until(/hello/)])
  reader.write('leave\n')
  pipeliner.write('leave\nunread\n')
  expect(await reader.closed).toEqual({ text: 'hello\nleft\n', reset: false })
  expect(await pipeliner.closed).toEqual({ text: 'hello\nleft\n', reset: true })
})

test('a listener keeps what its sessions share until the settings that it depends on change', async () => {
  const { host } = open()
  const counting = (dependsOn: string) => {
    let opened = 0
    const definition = { ...lines, open: () => ({ state: 0, send: `visitor ${(opened += 1)}\n` }) }
    return { ...lineListener(1, 'line', definition), dependsOn }
  }
  await host.apply([counting('a')])
  await connectTo(portOf(host)).until(/visitor 1\n/)
  await host.apply([counting('a')])
  await connectTo(portOf(host)).until(/visitor 2\n/)
  await host.apply([counting('b')])
  await connectTo(portOf(host)).until(/visitor 1\n/)
})

test('a session that throws loses its connection; others go on', async () => {
  const { host, touches } = open()
  await host.apply([lineListener(1)])
  const [bad, good] = [connectTo(portOf(host)), connectTo(portOf(host))]
  await Promise.all([bad.until(/hello/), good.until(/hello/)])
  bad.write('first\nthrow\n')
  expect(await bad.closed).toMatchObject({ reset: true })
  good.write('fine\n')
  await good.until(/fine/)
  expect(host.stats.errors).toBe(1)
  expect(host.stats.lastError).toContain('a session that throws')
  expect(touches.map(({ fields }) => fields['LINE'] ?? 'closed')).toEqual(['first', 'closed', 'fine'])
})

test('a delayed answer waits for the clock, and so do the frames after it', async () => {
  const clock = manualClock()
  const { host, touches } = open({ clock })
  await host.apply([lineListener(1)])
  const client = connectTo(portOf(host))
  client.write('a\nslow\nb\n')
  await client.until(/a\n/)
  await clock.timerWithin(3_000)
  expect(touches).toHaveLength(2)
  clock.advance(3_000)
  expect(await client.until(/b\n/)).toBe('hello\na\nslow\nb\n')
})

test('an answer that is computed goes out in its order, after its event', async () => {
  const { host, touches } = open()
  await host.apply([lineListener(1)])
  const client = connectTo(portOf(host), { allowHalfOpen: true })
  client.socket.end('a\nlater\nb\n')
  expect((await client.closed).text).toBe('hello\na\nlater\nb\n')
  expect(touches.map(({ fields }) => fields['LINE'] ?? 'closed')).toEqual(['a', 'later', 'b', 'closed'])
})

test('a client that has closed its half still gets every answer', async () => {
  const clock = manualClock()
  const { host } = open({ clock })
  await host.apply([lineListener(1)])
  const client = connectTo(portOf(host), { allowHalfOpen: true })
  client.socket.end('a\nslow\nb\n')
  await clock.timerWithin(3_000)
  clock.advance(3_000)
  expect(await client.closed.then(({ text }) => text)).toBe('hello\na\nslow\nb\n')
})

test('silence ends a connection with the last words of its service', async () => {
  const clock = manualClock()
  const { host } = open({ clock })
  await host.apply([lineListener(1)])
  const client = connectTo(portOf(host))
  await client.until(/hello/)
  clock.advance(60_000)
  expect((await client.closed).text).toBe('hello\nidle\n')
})

test('a client that asks and never reads does not fill the memory', async () => {
  const { host, touches } = open()
  await host.apply([lineListener(1)])
  const client = connectTo(portOf(host))
  await client.until(/hello/)
  client.socket.pause()
  client.write('big\n'.repeat(20_000))
  const before = process.memoryUsage().arrayBuffers
  let seen = -1
  while (seen !== touches.length) {
    seen = touches.length
    for (let i = 0; i < 200; i += 1) await new Promise(setImmediate)
  }
  expect(touches.length).toBeLessThan(2_000)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64e6)
  client.socket.destroy()
})

test('closing destroys every connection, raises its last events, and waits for no client', async () => {
  const { host, touches } = open()
  await host.apply([lineListener(1)])
  const clients = Array.from({ length: 10 }, () => connectTo(portOf(host)))
  await Promise.all(clients.map((client) => client.until(/hello/)))
  await host.close()
  expect(touches.map(({ fields }) => fields)).toEqual(Array(10).fill({ CLOSED: 0 }))
  expect(host.stats.openConnections).toBe(0)
  await expect(host.apply([])).rejects.toThrow('closed')
})

test('each datagram is answered by a session of its own', async () => {
  const { host, touches } = open()
  const startSession = sessionRunner({ ...lines, open: () => ({ state: 0 }) })
  await host.apply([{ instance: 'line', transport: 'udp', port: 69, startSession }])
  const socket = createSocket('udp4')
  socket.send('half a line', portOf(host), '127.0.0.1')
  socket.send('a line\n', portOf(host), '127.0.0.1')
  const [answer] = (await once(socket, 'message')) as [Buffer]
  expect(answer.toString()).toBe('a line\n')
  expect(touches.find(({ fields }) => fields['LINE'])).toMatchObject({
    fields: { LINE: 'a line' },
    dstPort: 69,
  })
  socket.close()
})

test('a decoy on the wildcard address answers from the address that was asked, and names it', async () => {
  const { host, touches } = open({ bind: '0.0.0.0' })
  await host.apply([{ ...lineListener(69), transport: 'udp' }])
  const asked = localAddresses('0.0.0.0')
  expect(asked).toContain('127.0.0.1')
  for (const address of asked) {
    const socket = createSocket('udp4')
    const answers = new Promise<string>((resolve) =>
      socket.once('message', (_, from) => resolve(from.address)),
    )
    socket.send('PING\n', portOf(host), address)
    expect(await answers).toBe(address)
    socket.close()
  }
  expect(new Set(touches.map(({ dstHost }) => dstHost))).toEqual(new Set(asked))
})

test('peers that read nothing are closed when too much waits for them, and the next one is served', async () => {
  const stalled = limit('test_bytes_unsent', 0)
  const { host } = open({ limits: { unsentBytes: withMax(stalled, 4_000_000) } })
  await host.apply([lineListener(6379)])
  const deaf = Array.from({ length: 40 }, () => {
    const socket = connect(portOf(host), '127.0.0.1').pause()
    socket.on('error', () => {})
    socket.write('big\n'.repeat(200))
    return socket
  })
  await expect.poll(() => host.stats.accepted).toBe(40)
  await expect.poll(() => host.stats.openConnections).toBeLessThan(40)
  expect(stalled.hits()).toBeGreaterThan(0)
  const client = connectTo(portOf(host))
  client.write('one\n')
  await client.until(/one/)
  client.socket.destroy()
  for (const socket of deaf) socket.destroy()
})

test('peers that send half a frame are closed when all of them hold too much, and one that holds little stays', async () => {
  const bound = limit('test_bytes_unread', 0)
  const { host, touches } = open({ limits: { unreadBytes: withMax(bound, 1_000_000) } })
  const longLines = { ...lines, limits: { frameBytes: 100_000, idleMs: 60_000 } }
  await host.apply([lineListener(6379, 'line', longLines)])
  const patient = connectTo(portOf(host))
  await patient.until(/hello/)
  patient.write('x'.repeat(5_000))
  const hostile = Array.from({ length: 30 }, () => {
    const socket = connect(portOf(host), '127.0.0.1').resume()
    socket.on('error', () => {})
    socket.write('x'.repeat(80_000))
    return socket
  })
  await expect.poll(() => host.stats.accepted).toBe(31)
  await expect.poll(() => host.stats.openConnections).toBeLessThan(15)
  expect(bound.hits()).toBeGreaterThan(15)
  patient.write(' and the rest\n')
  await patient.until(/and the rest/)
  expect(touches.filter(({ fields }) => fields['LINE'])).toHaveLength(1)
  for (const socket of [patient.socket, ...hostile]) socket.destroy()
})

test('what a session keeps of its peer counts as well', async () => {
  const { host } = open({ limits: { unreadBytes: withMax(limit('test_bytes_kept', 0), 100_000) } })
  const keeping = { ...lines, keptBytes: (count: number) => 30_000 * count }
  await host.apply([lineListener(6379, 'line', keeping)])
  const [kept, modest] = [connectTo(portOf(host)), connectTo(portOf(host))]
  await Promise.all([kept.until(/hello/), modest.until(/hello/)])
  modest.write('a\n')
  await modest.until(/a\n/)
  kept.write('a\nb\nc\n')
  expect((await kept.closed).text).toMatch(/^hello\n/)
  modest.write('still here\n')
  await modest.until(/still here/)
  modest.socket.destroy()
})
