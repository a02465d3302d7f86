// Who may ask by TCP: bounded by source and in all, and never closed to a newcomer.
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { pino } from 'pino'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { writeFrame } from '@rookery/tokens/channels/dns/frames.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { CONNECTIONS_PER_SOURCE } from '../../net/admission.ts'
import { parseRanges } from '../../net/ranges.ts'
import { dnsTcpServer } from './tcp.ts'

const BOUND = limit('test_dns_connections', 1_000)

/** A server that answers each query with itself. */
async function openServer({ bound = 1_000, perSource = 1_000 } = {}) {
  const { server, stop } = dnsTcpServer((message, _asked, reply) => reply(message), {
    world: { clock: manualClock() },
    log: pino({ enabled: false }),
    trusted: parseRanges('', 'trusted'),
    perSource: withMax(CONNECTIONS_PER_SOURCE, perSource),
    bound: withMax(BOUND, bound),
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
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

it('a source has its connections and no more; another source is not held up', async () => {
  const open = await openServer({ perSource: 2 })
  expect(await ask(open('127.0.0.2'))).toEqual(QUERY)
  expect(await ask(open('127.0.0.2'))).toEqual(QUERY)
  expect(await ask(open('127.0.0.2'))).toBeUndefined()
  expect(await ask(open('127.0.0.3'))).toEqual(QUERY)
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
