// Who may ask by TCP: bounded by source and in all, and never closed to a newcomer.
import { connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { pino } from 'pino'
import { declaredLimits, limit, withMax } from '@rookery/kernel/limit.ts'
import { writeFrame } from '@rookery/tokens/channels/dns/frames.ts'
import { listen } from '../../../test/listen.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { CONNECTIONS_PER_SOURCE } from '../../admission/admission.ts'
import { parseRanges } from '../../addresses/ranges.ts'
import { QUERIES_PER_NETWORK, type Answerer } from './answerer.ts'
import { dnsTcpServer } from './tcp.ts'

const BOUND = limit('test_dns_connections', 1_000)

/** A server that answers each query with itself. */
async function openServer({
  bound = 1_000,
  perSource = 1_000,
  perNetwork = 1_000,
  clock = manualClock(),
  onQuery = (): void => undefined,
} = {}) {
  const answer: Answerer = (message, _asked, reply) => {
    onQuery()
    reply(message)
  }
  const { server, stop } = dnsTcpServer(answer, {
    world: { clock },
    log: pino({ enabled: false }),
    trusted: parseRanges('', 'trusted'),
    perSource: withMax(CONNECTIONS_PER_SOURCE, perSource),
    perNetwork: withMax(QUERIES_PER_NETWORK, perNetwork),
    bound: withMax(BOUND, bound),
  })
  const port = await listen(server)
  onTestFinished(stop)
  return (localAddress: string): Socket => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    socket.on('error', () => undefined)
    return socket
  }
}

const QUERY = writeFrame(Buffer.from('a query'))

/** The answer to a query, or undefined where the connection is closed instead. */
const ask = (socket: Socket): Promise<Buffer | undefined> =>
  new Promise((resolve) => {
    socket.once('data', resolve)
    socket.once('close', () => resolve(undefined))
    socket.write(QUERY)
  })

it('a source has its connections and no more: the one that was answered first leaves for the next', async () => {
  const open = await openServer({ perSource: 2 })
  const [first, second] = [open('127.0.0.2'), open('127.0.0.2')]
  for (const socket of [first, second]) expect(await ask(socket)).toEqual(QUERY)
  const closed = new Promise((resolve) => first.once('close', resolve))
  expect(await ask(open('127.0.0.2'))).toEqual(QUERY)
  await closed
  expect(await ask(second)).toEqual(QUERY)
})

it('a full listener takes a newcomer, and gives up a connection of the source with the most', async () => {
  const open = await openServer({ bound: 4 })
  const one = open('127.0.0.2')
  expect(await ask(one)).toEqual(QUERY)
  const many = [open('127.0.0.3'), open('127.0.0.3'), open('127.0.0.3')]
  for (const socket of many) expect(await ask(socket)).toEqual(QUERY)
  const closed = new Promise((resolve) => many[0]?.once('close', resolve))
  expect(await ask(open('127.0.0.4'))).toEqual(QUERY)
  await closed
  expect(await ask(one)).toEqual(QUERY)
})

/** So many bytes of answers, all of them, in the order of the queries. */
const answers = (socket: Socket, count: number): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0
    socket.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes === count * QUERY.length) resolve()
    })
  })

const hits = (name: string): number => [...declaredLimits()].find((it) => it.name === name)?.hits() ?? NaN

it('a network asks so many queries a second; its others wait, on whatever connection, and another network does not', async () => {
  const clock = manualClock()
  let asked = 0
  const open = await openServer({ clock, perNetwork: 10, onQuery: () => asked++ })
  const many = [open('127.0.0.2'), open('127.0.0.3')]
  const all = Promise.all(many.map((socket) => answers(socket, 12)))
  const before = hits('dns_queries_per_network')
  for (const socket of many) socket.write(Buffer.concat(Array<Buffer>(12).fill(QUERY)))
  await expect.poll(() => hits('dns_queries_per_network')).toBe(before + 2)
  expect(asked).toBe(10)
  expect(await ask(open('127.0.1.2'))).toEqual(QUERY)
  clock.advance(1_000)
  expect(asked).toBe(21)
  clock.advance(1_000)
  await all
  expect(asked).toBe(25)
})

it('of a client that takes no answers no more is read, and it gets all of them once it does', async () => {
  let asked = 0
  const open = await openServer({ perNetwork: Infinity, onQuery: () => asked++ })
  const socket = open('127.0.0.2').pause()
  const count = 1_000_000
  const before = hits('dns_bytes_unsent')
  socket.write(Buffer.concat(Array<Buffer>(count).fill(QUERY)))
  await expect.poll(() => hits('dns_bytes_unsent')).toBeGreaterThan(before)
  expect(asked).toBeLessThan(count)
  const all = answers(socket, count)
  socket.resume()
  await all
  expect(asked).toBe(count)
})
