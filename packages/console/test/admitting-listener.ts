// A listener of HTTP behind the admission, and clients of it from many addresses.
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { listen } from './listen.ts'
import { manualClock } from './manual-clock.ts'
import { admit, CONNECTIONS_PER_SOURCE, type AdmissionOptions } from '../src/admission/admission.ts'
import { parseRanges } from '../src/addresses/ranges.ts'

const BOUND = limit('test_admission', 1_000)

/** A listener that answers each request but those of `/held` with 200, those below `/later` in a later turn,
 * to `/slow` after a millisecond and in a later turn, and the means to connect to it from many addresses. */
export async function openListener({
  bound = 1_000,
  perSource = 1_000,
  ...given
}: {
  bound?: number
  perSource?: number
} & Partial<Pick<AdmissionOptions, 'newcomers' | 'trusted' | 'servesGone' | 'clients' | 'onRefused'>> = {}) {
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
    trusted: parseRanges('', 'trusted'),
    clock,
    ...given,
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
export function ask(socket: Socket, bytes = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (answer: Buffer) => resolve(answer.toString()))
    socket.once('close', () => resolve(''))
    if (socket.destroyed) resolve('')
    else socket.write(bytes)
  })
}

export const ended = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : new Promise((done) => socket.resume().once('close', done))

export const requests = (count: number, path = '/'): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(count)

/** Of all answers that come back until the connection ends. */
export async function statusesOf(socket: Socket, bytes: string): Promise<number[]> {
  let text = ''
  socket.on('data', (piece: Buffer) => (text += piece.toString()))
  socket.write(bytes)
  await ended(socket)
  return [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
}

/** How many of them were served. */
export const askAll = async (socket: Socket, bytes: string): Promise<number> =>
  (await statusesOf(socket, bytes)).filter((status) => status === 200).length
