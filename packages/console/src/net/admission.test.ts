import { createServer } from 'node:http'
import { connect, Socket } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { listen } from '../../test/listen.ts'
import { manualClock } from '../../test/manual-clock.ts'
import { admit, CONNECTIONS_PER_SOURCE, type AdmissionOptions } from './admission.ts'
import { parseRanges } from './ranges.ts'

const BOUND = limit('test_admission', 1_000)

/** A listener that answers each request but those of `/held` with 200, those below `/later` in a later turn,
 * to `/slow` after a millisecond and in a later turn, and the means to connect to it from many addresses. */
async function openListener({
  bound = 1_000,
  perSource = 1_000,
  ...given
}: {
  bound?: number
  perSource?: number
} & Partial<Pick<AdmissionOptions, 'newcomers' | 'trusted' | 'servesGone' | 'arrivals'>> = {}) {
  const clock = manualClock()
  const lines: string[] = []
  const served: string[] = []
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const { url = '' } = request
    served.push(url)
    if (url === '/body') return void request.resume().once('end', () => response.end('ok'))
    if (url === '/slow') for (const since = performance.now(); performance.now() - since < 1;);
    // Who writes the whole head, as the token host does: Node.js then forgets that it is the last one.
    if (url === '/bare') setImmediate(() => response.removeHeader('Connection'))
    if (url.startsWith('/later') || url === '/slow' || url === '/bare') setImmediate(() => response.end(url))
    else if (url !== '/held') response.end('ok')
  })
  server.on('clientError', (_error, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const admission = admit(server, {
    ...{ trusted: parseRanges('', 'trusted'), clock, ...given },
    bound: withMax(BOUND, bound),
    perSource: withMax(CONNECTIONS_PER_SOURCE, perSource),
    log: pino({}, { write: (line: string) => lines.push(line) }),
  })
  const parsed = { requests: 0 }
  server.on('request', () => parsed.requests++)
  const upgraded: boolean[] = []
  server.on('upgrade', (_request, socket: Socket) => {
    upgraded.push(admission.admitLink(socket.on('error', () => undefined)))
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
  return { admission, clock, lines, open, parsed, port, served, server, sockets, upgraded }
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

const requests = (count: number, path = '/'): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count)

/** Of all answers that come back until the connection ends. */
async function statusesOf(socket: Socket, bytes: string): Promise<number[]> {
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.write(bytes)
  await ended(socket)
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}

/** How many of them were served. */
const askAll = async (socket: Socket, bytes: string): Promise<number> =>
  (await statusesOf(socket, bytes)).filter((status) => status === 200).length

it('of requests that come at once a hundred are answered, and the connection ends', async () => {
  const { open, lines } = await openListener()
  expect(await askAll(await open(), requests(150))).toBe(100)
  // One after the other there may be more.
  const patient = await open()
  for (let n = 0; n < 150; n++) expect(await ask(patient)).toContain('200 OK')
  expect(lines).toEqual([])
})

it('of thousands that come at once no more than one is parsed beyond those that are answered', async () => {
  const { open, parsed } = await openListener()
  const upgrading = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  for (const more of [requests(5_000), upgrading.repeat(2_000), 'GET /\r\n\r\n'.repeat(2_000)]) {
    parsed.requests = 0
    expect(await askAll(await open(), requests(101) + more)).toBe(100)
    expect(parsed.requests).toBe(101)
  }
})

it('what is no request is refused behind the answers to the requests before it', async () => {
  const { open } = await openListener()
  for (const count of [0, 1, 3, 40]) {
    const statuses = await statusesOf(await open(), requests(count, '/later') + 'BLA\r\n\r\n'.repeat(50))
    expect(statuses).toEqual([...Array.from({ length: count }, () => 200), 400])
  }
})

it('a request whose body is no HTTP is refused at once, behind the answers to those before it', async () => {
  const { open } = await openListener()
  const chunked = 'POST /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (const count of [0, 3]) {
    const statuses = await statusesOf(await open(), `${requests(count, '/later')}${chunked}no size\r\n`)
    expect(statuses).toEqual([...Array.from({ length: count }, () => 200), 400])
  }
})

it('a client that sends its requests at once and then closes its side gets all answers, in their order', async () => {
  const { open } = await openListener()
  for (const count of [1, 2, 40, 100]) {
    const socket = await open()
    let text = ''
    socket.on('data', (piece: Buffer) => (text += piece.toString()))
    socket.end(Array.from({ length: count }, (_, n) => requests(1, `/later/${n}`)).join(''))
    await ended(socket)
    const answers = [...text.matchAll(/later.(\d+)/g)].map(([, n]) => Number(n))
    expect(answers).toEqual(Array.from({ length: count }, (_, n) => n))
  }
})

it('a connection whose client has closed its side ends with the last answer, whatever its head says', async () => {
  const { open } = await openListener()
  for (const count of [1, 3]) {
    const socket = await open()
    socket.end(requests(count, '/bare'))
    // Longer than the test may take, connections are kept for further requests.
    await ended(socket)
  }
})

it('where gone connections are served, each of their requests is', async () => {
  const { open, served } = await openListener({ servesGone: true })
  const socket = await open()
  socket.write(requests(40, '/read') + 'BLA\r\n\r\n')
  await ended(socket)
  await expect.poll(() => served.length).toBe(40)
})

it('requests that come at once leave room for those of others between them', async () => {
  const { open, served } = await openListener()
  const [one, other] = [await open('127.0.0.2'), await open('127.0.0.3')]
  one.write(requests(100, '/many'))
  expect(await ask(other)).toContain('200 OK')
  expect(served.indexOf('/')).toBeLessThan(100)
})

it('many requests of one source, each on its own connection, leave room for those of others between them', async () => {
  const { open, served } = await openListener()
  const many: Socket[] = []
  while (many.length < 60) many.push(await open('127.0.0.2'))
  const other = await open('127.0.0.3')
  for (const socket of many) socket.write(requests(1, '/slow'))
  expect(await ask(other)).toContain('200 OK')
  expect(served.indexOf('/')).toBeLessThan(20)
})

it('a source that opens many connections at once leaves room for those of others behind them', async () => {
  const { port, served, sockets } = await openListener()
  const newcomer = new Promise((done) => {
    for (let n = 0; n <= 60; n++) {
      const localAddress = n < 60 ? '127.0.0.2' : '127.0.0.3'
      const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => undefined)
      sockets.push(socket)
      socket.write(requests(1, n < 60 ? '/slow' : '/'))
      if (n === 60) socket.once('data', done)
    }
  })
  await newcomer
  expect(served.indexOf('/')).toBeLessThan(45)
})

it('a source with too many unanswered requests loses its connections, and stays out for ten seconds', async () => {
  const { clock, lines, open } = await openListener({ perSource: 80 })
  const idle = await open('127.0.0.2')
  const other = await open('127.0.0.3')
  // 2 for each of 80 connections are 160.
  const first = await open('127.0.0.2')
  expect(await ask(first, requests(1) + requests(99, '/held'))).toContain('200 OK')
  const second = await open('127.0.0.2')
  expect(await ask(second, requests(1) + requests(60, '/held'))).toContain('200 OK')
  expect(await ask(await open('127.0.0.2'))).toContain('200 OK')
  await open('127.0.0.2').then((socket) => socket.write(requests(2)))
  await Promise.all([idle, first, second].map(ended))
  expect(await ask(await open('127.0.0.2'))).toBe('')
  expect(await ask(other)).toContain('200 OK')
  clock.advance(9_999)
  expect(await ask(await open('127.0.0.2'))).toBe('')
  clock.advance(1)
  expect(await ask(await open('127.0.0.2'))).toContain('200 OK')
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { source: '127.0.0.2', limit: 'http_requests_waiting_per_source', max: 2 },
  ])
})

it('a source that sends many requests at once on one connection after the other stays out for ten seconds', async () => {
  const { clock, lines, open } = await openListener({ perSource: 60 })
  // 4 for each of 60 connections are 240, and 85 of each of these come behind 16 others.
  expect(await askAll(await open('127.0.0.2'), requests(101))).toBe(100)
  expect(await askAll(await open('127.0.0.2'), requests(101))).toBe(100)
  clock.advance(5_000)
  expect(await askAll(await open('127.0.0.2'), requests(101))).toBeLessThan(100)
  expect(await ask(await open('127.0.0.2'))).toBe('')
  expect(await ask(await open('127.0.0.3'))).toContain('200 OK')
  for (let n = 0; n < 4; n++) {
    clock.advance(10_000)
    expect(await askAll(await open('127.0.0.2'), requests(101))).toBe(100)
  }
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { source: '127.0.0.2', limit: 'http_requests_pipelined_per_source', max: 4 },
  ])
})

it('a client that pipelines ten requests at a time may send thousands', async () => {
  const { open, lines } = await openListener({ perSource: 8 })
  const socket = await open()
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  for (let sent = 10; sent <= 2_000; sent += 10) {
    socket.write(requests(10))
    while ((text.match(/HTTP\/1\.1 200/g)?.length ?? 0) < sent)
      await new Promise((done) => socket.once('data', done))
  }
  expect(lines).toEqual([])
})

it('requests of connections that are gone count no longer, whatever came behind them', async () => {
  const { open, parsed } = await openListener({ perSource: 64 })
  const tails = {
    nothing: '',
    'an upgrade': 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    'another protocol': 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    garbage: 'BLA\r\n\r\n',
  }
  for (const [name, tail] of Object.entries(tails)) {
    for (let n = 0; n < 15; n++) {
      const before = parsed.requests
      const socket = await open('127.0.0.2')
      socket.write(requests(10, '/held') + tail)
      while (parsed.requests < before + 10 && !socket.destroyed)
        await new Promise((done) => setImmediate(done))
      socket.resetAndDestroy()
    }
    expect(await ask(await open('127.0.0.2')), name).toContain('200 OK')
  }
})

it('the requests of a trusted proxy are those of many: it is not kept out for them', async () => {
  const { open } = await openListener({ perSource: 1, trusted: parseRanges('127.0.0.1', 'trusted') })
  const sockets = [await open(), await open(), await open()]
  expect(await Promise.all(sockets.map((socket) => askAll(socket, requests(101))))).toEqual([100, 100, 100])
  expect(await ask(await open())).toContain('200 OK')
})
