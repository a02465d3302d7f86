// One address is many people: who of them leaves when it has as many connections as it may.
import type { Server, Socket } from 'node:net'
import { expect, it } from 'vitest'
import { ask, ended, openListener, requests } from '../../test/admitting-listener.ts'
import { parseRanges } from '../addresses/ranges.ts'

const HALF = 'GET / HT'
const BODY = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n.'
/** Until half a head and an unfinished body make room. */
const SLOW_MS = 2_250

/** Resolves once the listener has read it. */
async function send(socket: Socket, text: string, isRead: () => boolean): Promise<void> {
  socket.write(text)
  while (!isRead()) await new Promise((done) => setImmediate(done))
}

function acceptedBy(server: Server): readonly Socket[] {
  const accepted: Socket[] = []
  server.on('connection', (socket: Socket) => accepted.push(socket))
  return accepted
}

it('an idle one leaves first, the oldest before others, then half a head, then an unfinished body', async () => {
  const { clock, open, server, served } = await openListener({ perSource: 4 })
  const accepted = acceptedBy(server)
  const uploading = await open()
  await send(uploading, BODY, () => served.length === 1)
  const half = await open()
  await send(half, HALF, () => (accepted[1]?.bytesRead ?? 0) > 0)
  const idle = [await open(), await open()]
  for (const socket of idle) expect(await ask(socket)).toContain('200 OK')
  clock.advance(SLOW_MS)
  const left: string[] = []
  for (const [name, socket] of Object.entries({ uploading, half, first: idle[0], second: idle[1] }))
    socket?.once('close', () => left.push(name))
  for (let n = 0; n < 4; n++) {
    const newcomer = await open()
    newcomer.write(requests(1, '/held'))
    await expect.poll(() => left).toHaveLength(n + 1)
  }
  expect(left).toEqual(['first', 'second', 'half', 'uploading'])
})

it('half a head that is younger than 2 s stays; the newcomer is served once it has come whole', async () => {
  const { clock, open, server, served } = await openListener({ perSource: 1 })
  const accepted = acceptedBy(server)
  const half = await open()
  await send(half, HALF, () => (accepted[0]?.bytesRead ?? 0) > 0)
  const newcomer = await open()
  newcomer.write(requests(1, '/newcomer'))
  clock.advance(1_750)
  expect(await ask(half, 'TP/1.1\r\nHost: x\r\n\r\n')).toContain('200 OK')
  await expect.poll(() => served).toEqual(['/', '/newcomer'])
  await ended(half)
})

it('an upload with a valid key is at work, however long it takes', async () => {
  const { admission, clock, open, server, served } = await openListener({ perSource: 1 })
  server.once('request', ({ socket }) => admission.noteAuthenticated(socket as Socket))
  const uploading = await open()
  await send(uploading, BODY, () => served.length === 1)
  clock.advance(60_000)
  const newcomer = await open()
  clock.advance(3_000)
  await ended(newcomer)
  expect(await ask(uploading, '.')).toContain('200 OK')
})

it('a stranger who does not take its answer leaves for a newcomer', async () => {
  const { clock, open, server, served } = await openListener({ perSource: 1 })
  const accepted = acceptedBy(server)
  server.once('request', (_request, response: { write(bytes: Buffer): void }) =>
    response.write(Buffer.alloc(64 * 1024 * 1024)),
  )
  const reading = await open()
  await send(reading.pause(), requests(1, '/held'), () => (accepted[0]?.writableLength ?? 0) > 0)
  clock.advance(SLOW_MS)
  const newcomer = await open()
  expect(await ask(newcomer)).toContain('200 OK')
  expect(served).toEqual(['/held', '/'])
})

it('a kept connection is closed after 5 s where its source is near its bound, and nowhere else', async () => {
  const trusted = parseRanges('127.0.0.9', 'trusted')
  const { clock, open } = await openListener({ perSource: 4, trusted })
  const near = [await open(), await open(), await open()]
  const far = [await open('127.0.0.2'), await open('127.0.0.2')]
  const ofProxy = [await open('127.0.0.9'), await open('127.0.0.9'), await open('127.0.0.9')]
  for (const socket of [...near, ...far, ...ofProxy]) expect(await ask(socket)).toContain('200 OK')
  clock.advance(4_500)
  for (const socket of near.slice(1)) expect(await ask(socket)).toContain('200 OK')
  clock.advance(1_000)
  await ended(near[0] as Socket)
  clock.advance(30_000)
  for (const socket of [...near.slice(1), ...far, ...ofProxy]) expect(await ask(socket)).toContain('200 OK')
})

it.each([
  ['', 0],
  [', besides 64 that hold a byte each and come again', 64],
])('500 visitors of one address in 5 s: none is refused%s', async (_, holders) => {
  const refused: string[] = []
  const onRefused = (address: string): unknown => refused.push(address)
  const { clock, open, sockets } = await openListener({ perSource: 64, onRefused })
  let isOver = false
  async function hold(): Promise<void> {
    while (!isOver) {
      const socket = await open()
      socket.write('G')
      await ended(socket)
    }
  }
  const holding = Array.from({ length: holders }, hold)
  while (sockets.length < holders) await new Promise((done) => setImmediate(done))
  // As long as the slowest waits for its turn, the others come and go.
  const answers: Promise<string>[] = []
  for (let n = 0; n < 500; n++) {
    answers.push(open().then((socket) => ask(socket)))
    await new Promise((done) => setImmediate(done))
    clock.advance(10)
  }
  for (let isDone = false; !isDone;) {
    void Promise.all(answers).then(() => (isDone = true))
    await new Promise((done) => setImmediate(done))
    clock.advance(10)
  }
  expect((await Promise.all(answers)).filter((answer) => !answer.includes('200 OK'))).toEqual([])
  expect(refused).toEqual([])
  isOver = true
  for (const socket of sockets) socket.destroy()
  await Promise.all(holding)
})
