import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { ask, askAll, ended, openListener, requests, statusesOf } from '../../test/admitting-listener.ts'
import { parseRanges } from '../addresses/ranges.ts'

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

it('a connection of many that fails before it is set up is no error of the process', async () => {
  const { open, server } = await openListener()
  const failing: Socket[] = []
  server.on('connection', (socket: Socket) => {
    if (failing.push(socket) > 20 && failing.length <= 25) socket.destroy(new Error('read ECONNRESET'))
  })
  for (let n = 0; n < 25; n++) await open('127.0.0.2')
  expect(await ask(await open('127.0.0.3'))).toContain('200 OK')
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
