import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { listen } from '../../test/listen.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { admit, CONNECTIONS_PER_SOURCE, type AdmissionOptions } from './admission.ts'
import { parseRanges } from './ranges.ts'

const BOUND = limit('test_admission', 1_000)

/** A listener that answers each request with 200, and the means to connect to it from many addresses. */
async function openListener({
  bound = 1_000,
  perSource = 1_000,
  ...given
}: {
  bound?: number
  perSource?: number
} & Partial<Pick<AdmissionOptions, 'newcomers' | 'trusted'>> = {}) {
  const clock = manualClock()
  const lines: string[] = []
  const server = createServer((_request, response) => response.end('ok'))
  const admission = admit(server, {
    ...{ trusted: parseRanges('', 'trusted'), clock, ...given },
    bound: withMax(BOUND, bound),
    perSource: withMax(CONNECTIONS_PER_SOURCE, perSource),
    log: pino({}, { write: (line: string) => lines.push(line) }),
  })
  const upgraded: boolean[] = []
  server.on('upgrade', (_request, socket: Socket) => {
    upgraded.push(admission.admitLink(socket))
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  const port = await listen(server)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
  })

  /** Resolves once the server knows the connection. */
  async function open(localAddress = '127.0.0.1'): Promise<Socket> {
    const accepted = new Promise((done) => server.once('connection', done))
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined)
    sockets.push(socket)
    await accepted
    return socket
  }
  return { admission, clock, lines, open, upgraded }
}

/** Sends bytes and resolves with what comes back; empty when the connection was closed. */
function ask(socket: Socket, bytes = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (answer: Buffer) => resolve(answer.toString()))
    socket.once('close', () => resolve(''))
    if (socket.destroyed) resolve('')
    else socket.write(bytes)
  })
}

const ended = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : new Promise((done) => socket.resume().once('close', done))

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

const requests = (count: number): string => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count)

/** All that comes back until the connection ends. */
async function askAll(socket: Socket, bytes: string): Promise<number> {
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.write(bytes)
  await ended(socket)
  return text.split('HTTP/1.1 200').length - 1
}

it('of requests that come at once a hundred are answered, and the connection ends', async () => {
  const { open, lines } = await openListener()
  expect(await askAll(await open(), requests(150))).toBe(100)
  // One after the other there may be more.
  const patient = await open()
  for (let n = 0; n < 150; n++) expect(await ask(patient)).toContain('200 OK')
  expect(lines).toEqual([])
})

it('a source with too many unanswered requests loses its connections, and stays out for ten seconds', async () => {
  const { clock, lines, open } = await openListener({ perSource: 20 })
  const idle = await open('127.0.0.2')
  const other = await open('127.0.0.3')
  // 8 for each of 20 connections are 160.
  expect(await askAll(await open('127.0.0.2'), requests(160))).toBe(100)
  const flood = await open('127.0.0.2')
  flood.write(requests(161))
  await Promise.all([idle, flood].map(ended))
  expect(await ask(await open('127.0.0.2'))).toBe('')
  expect(await ask(other)).toContain('200 OK')
  clock.advance(9_999)
  expect(await ask(await open('127.0.0.2'))).toBe('')
  clock.advance(1)
  expect(await ask(await open('127.0.0.2'))).toContain('200 OK')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { source: '127.0.0.2', limit: 'http_requests_waiting_per_source', max: 8 },
  ])
})

it('the requests of a trusted proxy are those of many: it is not kept out for them', async () => {
  const { open } = await openListener({ perSource: 1, trusted: parseRanges('127.0.0.1', 'trusted') })
  const sockets = [await open(), await open(), await open()]
  expect(await Promise.all(sockets.map((socket) => askAll(socket, requests(101))))).toEqual([100, 100, 100])
  expect(await ask(await open())).toContain('200 OK')
})
