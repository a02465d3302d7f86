import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { lineListener, lines } from '../../test/line-service.ts'
import { call, hostForTests, portOf, stillClock } from '../../test/world.ts'
import { session } from '../converse.ts'
import type { Host, HostOptions } from './host.ts'

const hosts: Host[] = []
const host = (over: Partial<HostOptions> = {}) => {
  const made = hostForTests(over)
  hosts.push(made.host)
  return made
}
afterEach(() => Promise.all(hosts.splice(0).map((open) => open.close())))

test('an event carries both addresses and the logical port, and is raised before the answer', async () => {
  const { host: h, touches } = host()
  await h.apply([lineListener(6379)])
  const caller = call(portOf(h))
  caller.write('one\n')
  await caller.until(/one/)
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
  expect(touches[0]!.srcPort).toBe(caller.socket.localPort)
  caller.socket.destroy()
})

test('an IPv4 visitor of an IPv6 socket is named by his IPv4 address', async () => {
  const { host: h, touches } = host({ bind: '::' })
  await h.apply([lineListener(6379)])
  const caller = call(portOf(h))
  caller.write('one\n')
  await caller.until(/one/)
  expect(touches[0]).toMatchObject({ srcHost: '127.0.0.1', dstHost: '127.0.0.1' })
  caller.socket.destroy()
})

test('a port in use is named, and the listeners that stood still stand', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const { host: h } = host({ portOffset: 0 })
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port: mine } = free.address() as { port: number }
  await new Promise((resolve) => free.close(resolve))
  await h.apply([lineListener(mine)])
  await expect(h.apply([lineListener(port, 'other')])).rejects.toThrow(`port ${port} is in use`)
  const caller = call(mine)
  caller.write('still here\n')
  await caller.until(/still here/)
  caller.socket.destroy()
  blocker.close()
})

test('a port beyond the last one and a port given twice are refused by name', async () => {
  const { host: h } = host({ portOffset: 20_000 })
  await expect(h.apply([lineListener(50_000)])).rejects.toThrow('port 70000 does not exist')
  await expect(h.apply([lineListener(1, 'ssh'), lineListener(1, 'ftp')])).rejects.toThrow(
    'port 1 is given to both ssh and ftp',
  )
})

test('changed settings meet new connections at once, old ones go on, dropped ports are closed', async () => {
  const { host: h } = host()
  await h.apply([lineListener(1), lineListener(2, 'dropped')])
  const kept = call(portOf(h))
  const dropped = call(portOf(h, 'dropped'))
  await Promise.all([kept.until(/hello/), dropped.until(/hello/)])
  const before = portOf(h)
  const changed = { ...lines, open: () => ({ state: 0, send: 'good morning\n' }) }
  await h.apply([lineListener(1, 'line', changed)])
  expect(portOf(h)).toBe(before)
  await dropped.closed
  await call(before).until(/good morning/)
  kept.write('old\n')
  await kept.until(/old/)
})

test('over its cap a source is turned away with a reset, and comes in again when it has left', async () => {
  const { host: h } = host({ limits: { perSource: 2 } })
  await h.apply([lineListener(1)])
  const [one, two] = [call(portOf(h)), call(portOf(h))]
  await Promise.all([one.until(/hello/), two.until(/hello/)])
  expect(await call(portOf(h)).closed).toEqual({ text: '', reset: true })
  expect(h.stats).toMatchObject({ open: 2, refused: 1 })
  one.write('bye\n')
  await one.closed
  while (h.stats.open > 1) await new Promise(setImmediate)
  await call(portOf(h)).until(/hello/)
})

test('a throwing session loses its connection; others never notice', async () => {
  const { host: h, touches } = host()
  await h.apply([lineListener(1)])
  const [bad, good] = [call(portOf(h)), call(portOf(h))]
  await Promise.all([bad.until(/hello/), good.until(/hello/)])
  bad.write('first\nthrow\n')
  expect(await bad.closed).toMatchObject({ reset: true })
  good.write('fine\n')
  await good.until(/fine/)
  expect(h.stats.thrown).toBe(1)
  expect(h.stats.lastThrown).toContain('a session that throws')
  expect(touches.map(({ fields }) => fields['LINE'] ?? 'gone')).toEqual(['first', 'gone', 'fine'])
})

test('a delayed answer waits for the clock, and so do the frames behind it', async () => {
  const clock = stillClock()
  const { host: h, touches } = host({ clock })
  await h.apply([lineListener(1)])
  const caller = call(portOf(h))
  caller.write('a\nslow\nb\n')
  await caller.until(/a\n/)
  await clock.awaited(3_000)
  expect(touches).toHaveLength(2)
  clock.pass(3_000)
  expect(await caller.until(/b\n/)).toBe('hello\na\nslow\nb\n')
})

test('a peer that has closed its half still gets every answer', async () => {
  const clock = stillClock()
  const { host: h } = host({ clock })
  await h.apply([lineListener(1)])
  const caller = call(portOf(h), { allowHalfOpen: true })
  caller.socket.end('a\nslow\nb\n')
  await clock.awaited(3_000)
  clock.pass(3_000)
  expect(await caller.closed.then(({ text }) => text)).toBe('hello\na\nslow\nb\n')
})

test('silence ends a connection with the farewell of its service', async () => {
  const clock = stillClock()
  const { host: h } = host({ clock })
  await h.apply([lineListener(1)])
  const caller = call(portOf(h))
  await caller.until(/hello/)
  clock.pass(60_000)
  expect((await caller.closed).text).toBe('hello\nidle\n')
})

test('a peer that asks and never reads does not fill the memory', async () => {
  const { host: h, touches } = host()
  await h.apply([lineListener(1)])
  const caller = call(portOf(h))
  await caller.until(/hello/)
  caller.socket.pause()
  caller.write('big\n'.repeat(20_000))
  const before = process.memoryUsage().arrayBuffers
  let seen = -1
  while (seen !== touches.length) {
    seen = touches.length
    for (let i = 0; i < 200; i += 1) await new Promise(setImmediate)
  }
  expect(touches.length).toBeLessThan(2_000)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64e6)
  caller.socket.destroy()
})

test('closing cuts every connection, raises its last events, and ends although nobody hangs up', async () => {
  const { host: h, touches } = host()
  await h.apply([lineListener(1)])
  const callers = Array.from({ length: 10 }, () => call(portOf(h)))
  await Promise.all(callers.map((caller) => caller.until(/hello/)))
  await h.close()
  expect(touches.map(({ fields }) => fields)).toEqual(Array(10).fill({ GONE: 0 }))
  expect(h.stats.open).toBe(0)
  await expect(h.apply([])).rejects.toThrow('closed')
})

test('a datagram is answered by a conversation of its own', async () => {
  const { host: h, touches } = host()
  const converse = session({ ...lines, open: () => ({ state: 0 }) })
  await h.apply([{ instance: 'line', transport: 'udp', port: 69, converse }])
  const socket = createSocket('udp4')
  socket.send('half a line', portOf(h), '127.0.0.1')
  socket.send('a line\n', portOf(h), '127.0.0.1')
  const [answer] = (await once(socket, 'message')) as [Buffer]
  expect(answer.toString()).toBe('a line\n')
  expect(touches.find(({ fields }) => fields['LINE'])).toMatchObject({
    fields: { LINE: 'a line' },
    dstPort: 69,
  })
  socket.close()
})
