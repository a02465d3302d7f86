// Puts queries on a DNS server: 256 sockets, each of a /24 of its own, with one query in flight.
import { createSocket, type Socket } from 'node:dgram'
import { percentile } from '../case.ts'
import { RESOLVERS, type DnsJob, type DnsLoad } from './dns-load.ts'
import { serveJobs } from './serve-jobs.ts'

const PATIENCE_MS = 1_000

/** A header with RD and one question, the name, A, IN. The id is written before it is sent. */
function queryOf(name: string): Buffer {
  const labels = name.split('.').map((label) => `${String.fromCharCode(label.length)}${label}`)
  return Buffer.from(`\0\0\x01\0\0\x01\0\0\0\0\0\0${labels.join('')}\0\0\x01\0\x01`, 'latin1')
}

/** Every address of 127.0.0.0/8 is this machine. */
const sockets = await Promise.all(
  Array.from(
    { length: RESOLVERS },
    (_, network) =>
      new Promise<Socket>((resolve) => {
        const socket = createSocket('udp4')
        socket.bind(0, `127.1.${network}.1`, () => resolve(socket))
      }),
  ),
)

async function run({ port, names, first, ms }: DnsJob): Promise<DnsLoad> {
  const queries = names.map(queryOf)
  const latencies: number[] = []
  let next = first
  let refused = 0
  let lost = 0
  const startedAt = performance.now()
  let lastAt = startedAt

  const one = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      let turn = Math.floor(first / RESOLVERS)
      let id = 0
      let sentAt = 0
      const ask = (): void => {
        sentAt = performance.now()
        if (sentAt - startedAt >= ms) return end()
        const query = queries[turn++ % queries.length] ?? Buffer.alloc(0)
        next = Math.max(next, turn * RESOLVERS)
        // Buffers are shared by the sockets: each sends a copy.
        const own = Buffer.from(query)
        own.writeUInt16BE((id = (id + 1) & 0xffff), 0)
        socket.send(own, port, '127.0.0.1')
      }
      const watch = setInterval(() => {
        if (performance.now() - sentAt < PATIENCE_MS) return
        lost++
        ask()
      }, PATIENCE_MS / 4)
      const onMessage = (answer: Buffer): void => {
        if (answer.readUInt16BE(0) !== id) return
        lastAt = performance.now()
        latencies.push(lastAt - sentAt)
        if ((answer.readUInt16BE(2) & 0x20f) !== 0) refused++
        ask()
      }
      function end(): void {
        clearInterval(watch)
        socket.off('message', onMessage)
        resolve()
      }
      socket.on('message', onMessage)
      ask()
    })
  await Promise.all(sockets.map(one))
  return {
    answered: latencies.length,
    perSecond: (1_000 * latencies.length) / (lastAt - startedAt),
    refused,
    lost,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    next: next + RESOLVERS,
  }
}

serveJobs(run)
