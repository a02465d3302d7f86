import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { ask, ended, openListener } from '../../test/admitting-listener.ts'
import { parseRanges } from './ranges.ts'

it('a source has so many connections and no more; another source is served meanwhile', async () => {
  const { admission, lines, open } = await openListener({ perSource: 3 })
  const first = [await open(), await open(), await open()]
  await ended(await open())
  await ended(await open())
  expect(admission.count()).toBe(3)
  expect(await ask(await open('127.0.0.2'))).toContain('200 OK')
  for (const socket of first) expect(await ask(socket)).toContain('200 OK')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    source: '127.0.0.1',
    limit: 'connections_per_source',
    max: 3,
  })
})

it('a connection that ends makes room for another of its source', async () => {
  const { admission, open } = await openListener({ perSource: 1 })
  const first = await open()
  first.destroy()
  while (admission.count() > 0) await new Promise((done) => setImmediate(done))
  expect(await ask(await open())).toContain('200 OK')
})

it('a connection that this side has ended makes room in the same turn, in which its client may come again', async () => {
  const arrivals = { clientOf: () => '127.0.0.2', bytesBefore: () => 0 }
  const { open, server } = await openListener({ perSource: 1, arrivals })
  const next = new Socket().on('error', () => undefined)
  const isRefused = new Promise((resolve) =>
    server.once('connection', (socket: Socket) =>
      socket.once('finish', () =>
        process.nextTick(() => {
          server.emit('connection', next)
          resolve(next.destroyed)
        }),
      ),
    ),
  )
  const socket = await open()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(await isRefused).toBe(false)
  next.destroy()
})

it('a trusted proxy has as many as the listener', async () => {
  const { open } = await openListener({ perSource: 1, trusted: parseRanges('127.0.0.1', 'trusted') })
  const sockets = [await open(), await open(), await open()]
  for (const socket of sockets) expect(await ask(socket)).toContain('200 OK')
})

it('a full listener admits the newcomer, and closes the oldest that has sent nothing', async () => {
  const { admission, open } = await openListener({ bound: 4 })
  const speaking = await open()
  expect(await ask(speaking)).toContain('200 OK')
  const silent = [await open(), await open(), await open()]
  expect(await ask(await open())).toContain('200 OK')
  await ended(silent[0] ?? speaking)
  expect(await ask(speaking)).toContain('200 OK')
  expect(await ask(silent[1] ?? speaking)).toContain('200 OK')
  expect(admission.count()).toBe(4)
})

it('newcomers do not displace each other while older ones send their requests slowly', async () => {
  const { open } = await openListener({ bound: 4 })
  const slow = [await open(), await open(), await open(), await open()]
  for (const socket of slow) socket.write('GET / HT')
  const newcomers = [await open(), await open(), await open()]
  for (const socket of slow.slice(0, 3)) await ended(socket)
  for (const socket of newcomers) expect(await ask(socket)).toContain('200 OK')
})

it('one that has been silent for a second goes before an older one that sends slowly', async () => {
  const { clock, open } = await openListener({ bound: 2 })
  const slow = await open()
  slow.write('GET / HT')
  const silent = await open()
  clock.advance(2_000)
  const third = await open()
  await ended(silent)
  expect(await ask(third)).toContain('200 OK')
  expect(await ask(slow, 'TP/1.1\r\nHost: x\r\n\r\n')).toContain('200 OK')
})

it('who has many connections makes room before an older one that is alone', async () => {
  const { open } = await openListener({ bound: 4 })
  const alone = await open('127.0.0.9')
  const many = [await open(), await open(), await open()]
  for (const socket of [alone, ...many])
    await new Promise<void>((done) => socket.write('GET / HT', () => done()))
  const closed = Promise.race(
    [alone, ...many].map((socket, at) => new Promise<number>((done) => socket.once('close', () => done(at)))),
  )
  const newcomer = await open()
  expect(await closed).toBe(1)
  expect(await ask(newcomer)).toContain('200 OK')
})

it('next goes the oldest whose request has not come whole; a listener full of served ones refuses', async () => {
  const { admission, open } = await openListener({ bound: 2 })
  const slow = await open()
  slow.write('GET / HT')
  const served = await open()
  expect(await ask(served)).toContain('200 OK')
  const second = await open()
  await ended(slow)
  expect(await ask(second)).toContain('200 OK')
  await ended(await open())
  expect(await ask(served)).toContain('200 OK')
  expect(admission.count()).toBe(2)
})

it('a connection that sends nothing is closed within 3 s, one that has sent a byte is not', async () => {
  const { clock, open } = await openListener()
  const silent = await open()
  const speaking = await open()
  expect(await ask(speaking)).toContain('200 OK')
  clock.advance(3_000)
  await ended(silent)
  clock.advance(60_000)
  expect(await ask(speaking)).toContain('200 OK')
})

it('a flood of requests leaves room for Birds, and a link no longer counts as a connection', async () => {
  const { admission, open, upgraded } = await openListener({ bound: 3, newcomers: 1, perSource: 3 })
  const served = [await open(), await open()]
  for (const socket of served) expect(await ask(socket)).toContain('200 OK')
  expect(admission.isCrowded()).toBe(false)
  const link = 'GET /link HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  for (let n = 0; n < 10; n++) expect(await ask(await open(), link)).toContain('101')
  expect([upgraded.length, upgraded.every(Boolean), admission.count()]).toEqual([10, true, 2])
  await ask(await open())
  expect(admission.isCrowded()).toBe(true)
})
