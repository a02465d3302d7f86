// A connection whose bytes wait for its decoy's share of a turn: what its timers, its peer and a full memory do meanwhile.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { expect, onTestFinished, test } from 'vitest'
import { lineListener, lines } from '../../../test/line-service.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { deriveFrom, testContext } from '../../../test/session-context.ts'
import { connectTo } from '../../../test/tcp-client.ts'
import { firstFlight, readFrom, secureLines, testTls, tlsClient } from '../../../test/tls-lines.ts'
import type { SessionDefinition, Step } from '../../session/session.ts'
import { serveConnection } from './connection.ts'
import { buildHostContext } from '../host-context.ts'
import type { HostTouch } from '../host-touch.ts'
import { defaultLimits, emptyStats, type HostLimits } from '../limits.ts'

const WAKE_MS = 50

/** A line `arm` asks for a wake, in which the session does this. */
const waking = (
  awake: Step<number>,
  base: SessionDefinition<number, string> = lines,
): SessionDefinition<number, string> => ({
  ...base,
  step: (state, line, context) =>
    line === 'arm' ? { state, send: 'armed\n', wakeMs: WAKE_MS } : base.step(state, line, context),
  wake: () => awake,
})

/** A server whose connections get their share when the test says so. */
async function serve(definition: SessionDefinition<number, string>, over: Partial<HostLimits> = {}) {
  const clock = manualClock()
  const touches: HostTouch[] = []
  const waiting: (() => void)[] = []
  let isHeld = false
  const host = {
    ...buildHostContext(
      {
        clock,
        random: { bytes: (length) => randomBytes(length) },
        derive: deriveFrom('bird-1'),
        emit: (raised) => touches.push(...raised),
        connected: () => undefined,
      },
      { ...defaultLimits, ...over },
      emptyStats(),
    ),
    shares: {
      take(_: string, act: () => void): void {
        if (isHeld) waiting.push(act)
        else act()
      },
    },
  }
  const server = createServer({ allowHalfOpen: true }, (socket) =>
    serveConnection(socket, testContext(), lineListener(1, 'line', definition), host),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return {
    clock,
    touches,
    host,
    port: (server.address() as AddressInfo).port,
    hold: () => void (isHeld = true),
    /** Resolves once so many wait. */
    waits: (count: number) => expect.poll(() => waiting.length).toBe(count),
    go(): void {
      isHeld = false
      for (const act of waiting.splice(0)) act()
    },
  }
}

test('what waits raises its event also when the peer ends TLS while an answer is delayed', async () => {
  const delayed = waking({ state: 1, send: 'awake\n', delayMs: 1_000 }, secureLines(true))
  const { clock, port, touches, hold, waits, go } = await serve(delayed)
  const below = connect(port, '127.0.0.1')
  const socket = tlsClient({ socket: below })
  const until = readFrom(socket)
  socket.write('arm\n')
  await until(/armed\n/)
  hold()
  socket.write('one\n')
  await waits(1)
  clock.advance(WAKE_MS)
  // A FIN alone, without close_notify.
  below.end()
  // The server has read it once what comes behind it waits, too.
  const behind = connectTo(port)
  behind.write('x')
  await waits(2)
  clock.advance(1_000)
  go()
  await expect.poll(() => touches.map(({ fields }) => fields['LINE'])).toContain('one')
  behind.socket.destroy()
})

test('a server that closes while bytes wait has not read them: the peer meets a reset', async () => {
  const { clock, port, hold, waits } = await serve(waking({ state: 1, send: 'gone\n', close: 'close' }))
  const client = connectTo(port)
  client.write('arm\n')
  await client.until(/armed\n/)
  hold()
  client.write('one\n')
  await waits(1)
  clock.advance(WAKE_MS)
  expect(await client.closed).toEqual({ text: 'hello\narmed\ngone\n', reset: true })
})

test('bytes that wait when TLS begins are its handshake', async () => {
  const { clock, port, hold, waits, go } = await serve(
    waking({ state: 1, send: 'go ahead\n', tls: testTls }, secureLines(false)),
  )
  const client = connectTo(port)
  client.write('arm\n')
  await client.until(/armed\n/)
  hold()
  client.write(await firstFlight())
  await waits(1)
  clock.advance(WAKE_MS)
  // The certificate is not there yet.
  go()
  await client.until(/go ahead\n/)
  // A record with a ServerHello.
  await client.until(/go ahead\n\x16\x03\x03..\x02/s)
  client.socket.destroy()
})

test('a session that is woken while its bytes wait asks for one share, not for one each time', async () => {
  const { clock, port, hold, waits, go } = await serve(waking({ state: 1, send: 'awake\n', wakeMs: WAKE_MS }))
  const client = connectTo(port)
  client.write('arm\n')
  await client.until(/armed\n/)
  hold()
  client.write('one\n')
  await waits(1)
  for (let n = 0; n < 5; n += 1) clock.advance(WAKE_MS)
  await client.until(/(awake\n){5}/)
  await waits(1)
  go()
  await client.until(/one\n/)
  client.socket.destroy()
})

test('what would be too much to wait is answered at once, and nobody is closed for it', async () => {
  const unreadBytes = withMax(limit('test_waiting_bytes', 0), 10_000)
  const { port, host, hold, waits, go } = await serve(lines, { unreadBytes })
  const clients = [1, 2, 3, 4].map(() => connectTo(port))
  for (const client of clients) await client.until(/hello\n/)
  hold()
  const sent = `${'x'.repeat(899)}\n`.repeat(7)
  for (const client of clients) client.write(sent)
  await waits(4)
  // The first alone has room to wait.
  await Promise.all(clients.slice(1).map((client) => client.until(new RegExp(`^hello\n${sent}$`))))
  go()
  await clients[0]!.until(new RegExp(`^hello\n${sent}$`))
  expect(host.stats.openConnections).toBe(4)
  expect(unreadBytes.hits()).toBe(0)
  for (const { socket } of clients) socket.destroy()
})
