// A reply of several writes: they leave in their order, one by one, and what else the connection does waits for the last.
import { afterEach, expect, test } from 'vitest'
import { lineListener, lines } from '../../../test/line-service.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { connectTo } from '../../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../../test/test-host.ts'
import { readFrom, secureLines, testTls, tlsClient } from '../../../test/tls-lines.ts'
import type { SessionDefinition, Step } from '../../session/session.ts'
import type { Host, HostOptions } from '../host.ts'

const opened: Host[] = []
afterEach(() => Promise.all(opened.splice(0).map((host) => host.close())))

/** More than a turn of the event loop reads. */
const MANY = 300
const numbers = Array.from({ length: MANY }, (_, at) => `${at} `)
const all = `${numbers.join('')}\n`

/** `count` is answered by many writes, and what else the step says. */
const counting = (
  also: Partial<Step<number>> = {},
  base: SessionDefinition<number, string> = lines,
): SessionDefinition<number, string> => ({
  ...base,
  step(state, line, context) {
    if (line !== 'count') return base.step(state, line, context)
    const [send = '', ...rest] = numbers
    const furtherWrites = [...rest, '\n'].map((text) => ({ send: text, isLater: true }))
    return { state: state + 1, send, furtherWrites, ...also }
  },
})

async function listen(definition: SessionDefinition<number, string>, over: Partial<HostOptions> = {}) {
  const { host, touches } = openTestHost(over)
  opened.push(host)
  await host.apply([lineListener(443, 'line', definition)])
  return { touches, port: portOf(host) }
}

test('further writes leave one by one, and what the peer sends meanwhile is answered behind them', async () => {
  const { port } = await listen(counting())
  const client = connectTo(port)
  let reads = 0
  client.socket.on('data', () => (reads += 1))
  client.write('count\nfirst\n')
  await client.until(/0 1 2 /)
  client.write('second\n')
  expect(await client.until(/second\n/)).toBe(`hello\n${all}first\nsecond\n`)
  expect(reads).toBeGreaterThan(MANY / 10)
  client.socket.destroy()
})

test('others are answered between the writes', async () => {
  const { port } = await listen(counting())
  const other = connectTo(port)
  await other.until(/hello\n/)
  const client = connectTo(port)
  let text = ''
  client.socket.on('data', (bytes) => (text += bytes.toString()))
  client.write('count\n')
  await client.until(/ 1 2 /)
  other.write('me\n')
  await other.until(/me\n/)
  expect(text).not.toContain(all)
  await client.until(/\n.*\n/)
  for (const { socket } of [client, other]) socket.destroy()
})

test.each(['end', 'close'] as const)('a connection closes with %s behind the last write', async (close) => {
  const { port } = await listen(counting({ close }))
  const client = connectTo(port, { allowHalfOpen: true })
  client.socket.end('count\n')
  client.socket.on('end', () => client.socket.destroy())
  expect(await client.closed).toEqual({ text: `hello\n${all}`, reset: false })
})

test('a peer that leaves between the writes costs nothing but its connection', async () => {
  const { port, touches } = await listen(counting())
  const client = connectTo(port)
  client.write('count\n')
  await client.until(/0 1 /)
  client.socket.resetAndDestroy()
  await expect.poll(() => touches.map(({ fields }) => fields['CLOSED'])).toEqual([1])
  const next = connectTo(port)
  next.write('still here\n')
  await next.until(/still here\n/)
  next.socket.destroy()
})

test('further writes are encrypted where the first is, and TLS begins behind the last', async () => {
  const { port } = await listen(counting({}, secureLines(true)))
  const socket = tlsClient({ port })
  socket.write('count\n')
  expect(await readFrom(socket)(/0 1 .*\n/)).toContain(all)
  socket.destroy()
  const later = await listen(counting({ tls: testTls }, secureLines(false)))
  const plain = connectTo(later.port)
  plain.write('count\n')
  expect(await plain.until(/ \n/)).toBe(`hello\n${all}`)
  plain.socket.removeAllListeners('data')
  const secured = tlsClient({ socket: plain.socket })
  await readFrom(secured)(/secured .*\n/)
  secured.destroy()
})

test('a deadline that comes between the writes is kept right behind them', async () => {
  const clock = manualClock()
  const definition = { ...counting({ wakeMs: 5 }), wake: (state: number) => ({ state, send: 'woken\n' }) }
  const { port } = await listen(definition, { clock })
  const client = connectTo(port)
  client.write('count\n')
  await client.until(/0 1 /)
  clock.advance(5)
  await client.until(/ \n/)
  clock.advance(0)
  expect(await client.until(/woken\n/)).toBe(`hello\n${all}woken\n`)
  client.socket.destroy()
})
