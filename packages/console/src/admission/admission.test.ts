import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { ask, ended, openListener, requests } from '../../test/admitting-listener.ts'
import { parseRanges } from '../addresses/ranges.ts'

it('of a source whose connections are all at work newcomers wait, and are refused after 3 s; others are served', async () => {
  const refused: string[] = []
  const onRefused = (address: string): unknown => refused.push(address)
  const { admission, clock, lines, open, served } = await openListener({ perSource: 3, onRefused })
  for (const socket of [await open(), await open(), await open()]) socket.write(requests(1, '/held'))
  await expect.poll(() => served).toHaveLength(3)
  const newcomers = [await open(), await open()]
  expect(await ask(await open('127.0.0.2'))).toContain('200 OK')
  clock.advance(2_500)
  expect([admission.count(), refused, newcomers.map(({ destroyed }) => destroyed)]).toEqual([
    ...[4, []],
    [false, false],
  ])
  clock.advance(500)
  for (const socket of newcomers) await ended(socket)
  expect(refused).toEqual(['127.0.0.1', '127.0.0.1'])
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { source: '127.0.0.1', limit: 'connections_per_source', max: 3 },
  ])
})

it('a connection that ends makes room for another of its source', async () => {
  const { admission, open } = await openListener({ perSource: 1 })
  const first = await open()
  first.destroy()
  while (admission.count() > 0) await new Promise((done) => setImmediate(done))
  expect(await ask(await open())).toContain('200 OK')
})

it('a connection that this side has ended makes room in the same turn, in which its client may come again', async () => {
  const clients = { clientOf: () => '127.0.0.2', bytesBefore: () => 0 }
  const { open, server } = await openListener({ perSource: 1, clients })
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
  const { admission, clock, open } = await openListener({ bound: 4 })
  const speaking = await open()
  expect(await ask(speaking)).toContain('200 OK')
  const silent = [await open(), await open(), await open()]
  clock.advance(2_000)
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

it('next goes the one that has had no request under way for longest, whether its first has come whole or not', async () => {
  const { admission, open } = await openListener({ bound: 2 })
  const slow = await open()
  slow.write('GET / HT')
  const served = await open()
  expect(await ask(served)).toContain('200 OK')
  const second = await open()
  await ended(slow)
  expect(await ask(second)).toContain('200 OK')
  const third = await open()
  await ended(served)
  expect(await ask(third)).toContain('200 OK')
  expect(await ask(second)).toContain('200 OK')
  // Its request came before that of the other.
  const fourth = await open()
  await ended(third)
  expect(await ask(fourth)).toContain('200 OK')
  expect(admission.count()).toBe(2)
})

it('sources that fill a listener with answered connections shut nobody out', async () => {
  const { admission, open } = await openListener({ bound: 6, perSource: 2, newcomers: 1 })
  const sources = ['127.0.0.2', '127.0.0.3', '127.0.0.4']
  for (const source of [...sources, ...sources]) expect(await ask(await open(source))).toContain('200 OK')
  expect([admission.count(), admission.isCrowded()]).toEqual([6, false])
  for (let n = 0; n < 20; n++) expect(await ask(await open(`127.0.1.${n + 1}`))).toContain('200 OK')
  expect([admission.count(), admission.isCrowded()]).toEqual([6, false])
})

it('of answered connections those of who has many make room first', async () => {
  const { open } = await openListener({ bound: 4 })
  const alone = await open('127.0.0.9')
  const many = [await open(), await open(), await open()]
  for (const socket of [alone, ...many]) expect(await ask(socket)).toContain('200 OK')
  const newcomer = await open('127.0.0.8')
  await ended(many[0] ?? alone)
  expect(await ask(newcomer)).toContain('200 OK')
  expect(await ask(alone)).toContain('200 OK')
})

it('each connection of a trusted proxy counts as that of another source', async () => {
  const { open } = await openListener({ bound: 5, trusted: parseRanges('127.0.0.9', 'trusted') })
  const ofProxy = [await open('127.0.0.9'), await open('127.0.0.9'), await open('127.0.0.9')]
  const many = [await open(), await open()]
  for (const socket of [...ofProxy, ...many]) expect(await ask(socket)).toContain('200 OK')
  expect(await ask(await open('127.0.0.8'))).toContain('200 OK')
  await ended(many[0] ?? new Socket())
  for (const socket of ofProxy) expect(await ask(socket)).toContain('200 OK')
})

it('a connection with a request under way makes no room, whatever it waits for', async () => {
  const { admission, lines, open, served, server } = await openListener({ bound: 3, newcomers: 1 })
  const uploading = await open()
  uploading.write('POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n.')
  const waiting = await open()
  // The second of two waits behind the first.
  expect(await ask(waiting, requests(1) + requests(1, '/held'))).toContain('200 OK')
  const reading = await open()
  server.once('request', (_request, response: ServerResponse) => response.write('first part'))
  expect(await ask(reading, requests(1, '/held'))).toContain('first part')
  expect(served).toHaveLength(4)
  expect(admission.isCrowded()).toBe(true)
  await ended(await open('127.0.0.2'))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ limit: 'test_admission' }])
  expect(admission.count()).toBe(3)
  // It is answered, and kept for another request.
  expect(await ask(uploading, '.')).toContain('200 OK')
  expect(admission.isCrowded()).toBe(false)
  const newcomer = await open('127.0.0.2')
  await ended(uploading)
  expect(await ask(newcomer)).toContain('200 OK')
  expect([waiting.destroyed, reading.destroyed]).toEqual([false, false])
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
  for (const socket of served) expect(await ask(socket, requests(1) + requests(1, '/held'))).toContain('200')
  expect(admission.isCrowded()).toBe(false)
  const link = 'GET /link HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  // Also one that has asked for something before.
  for (let n = 0; n < 10; n++) expect(await ask(await open(), requests(n % 2) + link)).toContain('1.1')
  await expect.poll(() => upgraded).toHaveLength(10)
  expect([upgraded.every(Boolean), admission.count()]).toEqual([true, 2])
  expect(await ask(await open(), requests(1) + requests(1, '/held'))).toContain('200')
  expect(admission.isCrowded()).toBe(true)
})
