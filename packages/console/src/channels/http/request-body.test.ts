import { once } from 'node:events'
import { createServer, IncomingMessage } from 'node:http'
import { connect, Socket, type AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../world/system.ts'
import { bodyReader, MAX_BODY_BYTES, type HeldBody } from './request-body.ts'

/** Reads the bodies of requests, which are answered when the test says so. */
async function listen() {
  const { read } = bodyReader(systemClock)
  const bodies: (HeldBody | undefined)[] = []
  const waiting: ((body: HeldBody | undefined) => void)[] = []
  let received = 0
  const server = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => (received += bytes.length))
    void Promise.resolve(read(request)).then((body) => {
      bodies.push(body)
      waiting.shift()?.(body)
      response.end('ok')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const open = (text: string): Socket => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    sockets.push(socket)
    socket.write(text)
    return socket
  }
  const next = () => new Promise<HeldBody | undefined>((resolve) => waiting.push(resolve))
  return { open, next, bodies, received: () => received }
}

const post = (length: number, body: string): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`

describe('the body of a request', () => {
  it('is not there where the request has none', async () => {
    const { open, next } = await listen()
    for (const text of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', post(0, '')]) {
      const got = next()
      open(text)
      expect(await got).toBeUndefined()
    }
  })

  it('is kept, with its length or in chunks', async () => {
    const { open, next } = await listen()
    const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    for (const text of [post(5, 'a=é&'), `${chunked}2\r\na=\r\n3\r\né&\r\n0\r\n\r\n`]) {
      const got = next()
      open(text)
      expect((await got)?.content).toMatchObject({ body: 'a=é&' })
      expect((await got)?.content).not.toHaveProperty('isBodyCut')
    }
  })

  it('is cut behind 64 KiB, and the rest is discarded: the connection goes on', async () => {
    const { open, next } = await listen()
    for (const [length, isBodyCut] of [
      [MAX_BODY_BYTES, undefined],
      [MAX_BODY_BYTES + 1, true],
      [1024 * 1024, true],
    ] as const) {
      const got = next()
      const socket = open(post(length, 'x'.repeat(length)))
      const held = await got
      expect([held?.content.body?.length, held?.content.isBodyCut]).toEqual([MAX_BODY_BYTES, isBodyCut])
      const second = next()
      socket.write(post(2, 'ab'))
      expect((await second)?.content.body).toBe('ab')
    }
  })

  it('is what came of it when the sender goes in the middle', async () => {
    const { open, next } = await listen()
    const got = next()
    const socket = open(post(10, 'abc'))
    await once(socket, 'connect')
    socket.end(() => socket.destroy())
    expect((await got)?.content).toMatchObject({ body: 'abc', isBodyCut: true })
  })

  it('in chunks of one byte takes hardly more memory than its bytes', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { open, received } = await listen()
    collect()
    const before = process.memoryUsage().heapUsed
    const chunks = '1\r\nx\r\n'.repeat(MAX_BODY_BYTES)
    for (let n = 0; n < 2; n++)
      open(`POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`)
    await expect.poll(received).toBe(2 * MAX_BODY_BYTES)
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(8e6)
  })

  it('of many senders is read no further than memory allows, and again when touches are stored', async () => {
    const { open, next, bodies } = await listen()
    for (let n = 0; n < 256; n++) {
      const got = next()
      open(post(1, 'x'))
      await got
    }
    const refused = next()
    open(post(1, 'x'))
    expect((await refused)?.content).toMatchObject({ isBodyCut: true })
    expect((await refused)?.content).not.toHaveProperty('body')
    bodies[0]?.release()
    bodies[0]?.release()
    const taken = next()
    open(post(1, 'y'))
    expect((await taken)?.content).toMatchObject({ body: 'y' })
    const again = next()
    open(post(1, 'z'))
    expect((await again)?.content).not.toHaveProperty('body')
  })

  it('is cut where the connection was gone before it was read', async () => {
    const request = new IncomingMessage(new Socket())
    request.headers = { 'content-length': '3' }
    const closed = once(request, 'close')
    request.destroy()
    await closed
    expect((await bodyReader(systemClock).read(request))?.content).toMatchObject({ isBodyCut: true })
  })
})
