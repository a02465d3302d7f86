// A broken or hostile console can delay a Bird, and nothing else.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { keyPair } from '@rookery/link/noise/keys.ts'
import type { Frame } from '@rookery/link/messages.ts'
import { session, type Session } from '@rookery/link/session.ts'
import { manualClock } from '../../test/clocks.ts'
import { startTestBird } from '../../test/test-bird.ts'
import { systemClock, systemRandom as random } from '../world.ts'
import { uplink, type SessionHandler, type UplinkOptions } from './uplink.ts'
import type { Carrier, ConnectionEvents } from './ws-carrier.ts'

interface TestConnection {
  readonly events: ConnectionEvents
  readonly sent: Buffer[]
  isClosed: boolean
}

/** A carrier in memory; `connections` are those that the Bird has opened. */
function memoryCarrier() {
  const connections: TestConnection[] = []
  const carrier: Carrier = (events) => {
    const connection: TestConnection = { events, sent: [], isClosed: false }
    connections.push(connection)
    const close = () => {
      if (connection.isClosed) return
      connection.isClosed = true
      events.closed('')
    }
    return { send: (message) => connection.sent.push(message), close, terminate: close }
  }
  return { carrier, connections }
}

function start(over: Partial<UplinkOptions<SessionHandler>> = {}) {
  const { carrier, connections } = memoryCarrier()
  const clock = manualClock()
  const reasons: string[] = []
  const frames: Frame[] = []
  const link = uplink<SessionHandler>({
    carrier,
    key: keyPair(randomBytes(32)),
    clock,
    random,
    accept: () => undefined,
    openSession: (opened) => {
      opened.send({ kind: 'LOG', body: { level: 'info', at: 0, message: 'hello' } })
      return { receive: (frame) => frames.push(frame), ended: () => {} }
    },
    onDisconnected: (reason) => reasons.push(reason),
    ...over,
  })
  link.start()
  return { link, connections, clock, reasons, frames }
}

/** Plays the console up to the first frame of the session. */
function answer({ events, sent }: TestConnection): Session {
  const console = session({
    role: 'responder',
    staticKey: keyPair(randomBytes(32)),
    clock: systemClock,
    random,
  })
  events.opened('192.0.2.7')
  events.received(console.receive(sent[0]!).reply!)
  console.receive(sent[1]!)
  expect(console.receive(sent[2]!)).toMatchObject({ opened: true, frame: { kind: 'LOG' } })
  return console
}

test('garbage at any point ends the connection with a reason, and the next one is tried', () => {
  fc.assert(
    fc.property(fc.nat(1), fc.uint8Array({ maxLength: 200 }), (stage, garbage) => {
      const { connections, clock, reasons } = start()
      if (stage === 0) connections[0]!.events.opened('')
      else answer(connections[0]!)
      connections[0]!.events.received(Buffer.from(garbage))
      expect(connections[0]!.isClosed).toBe(true)
      expect(reasons).toEqual([expect.stringMatching(/handshake|altered|low order/) as string])
      clock.pass(300)
      expect(connections).toHaveLength(2)
    }),
  )
})

test('a console that never answers is left after 15 s, and tried again with a growing, jittered back-off', () => {
  const { connections, clock, reasons } = start()
  connections[0]!.events.opened('')
  clock.pass(15_000)
  expect(reasons).toEqual(['the console did not answer the handshake'])
  const waits: number[] = []
  for (let i = 0; i < 12; i++) {
    const from = clock.now()
    while (connections.length === i + 1) clock.pass(10)
    waits.push(clock.now() - from)
    connections.at(-1)!.events.closed('connect ECONNREFUSED')
  }
  waits.forEach((ms, i) => {
    const longest = Math.min(250 * 2 ** i, 30_000)
    expect(ms).toBeGreaterThanOrEqual(longest / 2 - 10)
    expect(ms).toBeLessThanOrEqual(longest + 20)
  })
  expect(new Set(waits.slice(-5)).size).toBeGreaterThan(1)
})

test('a frame of the console resets the back-off', () => {
  const { connections, clock, frames } = start()
  for (let i = 0; i < 8; i++) {
    connections.at(-1)!.events.closed('refused')
    clock.pass(30_000)
  }
  const console = answer(connections.at(-1)!)
  for (const message of console.send({ kind: 'PENDING', body: { serverMs: 1 } }))
    connections.at(-1)!.events.received(message)
  expect(frames).toHaveLength(1)
  const before = connections.length
  connections.at(-1)!.events.closed('gone')
  clock.pass(250)
  expect(connections).toHaveLength(before + 1)
})

test('a console whose key is not accepted does not get the Bird’s key', () => {
  const { connections } = start({ accept: () => 'another key than the pinned one' })
  const console = session({
    role: 'responder',
    staticKey: keyPair(randomBytes(32)),
    clock: systemClock,
    random,
  })
  connections[0]!.events.opened('')
  connections[0]!.events.received(console.receive(connections[0]!.sent[0]!).reply!)
  expect(connections[0]!.sent).toHaveLength(1)
  expect(connections[0]!.isClosed).toBe(true)
})

test('after stop no connection is tried', () => {
  const { link, connections, clock } = start()
  answer(connections[0]!)
  link.stop('bye')
  clock.pass(3_600_000)
  expect(connections).toHaveLength(1)
})

test('a frame that cannot be handled is reported, and ends the connection so that it comes again', () => {
  const { connections, clock, reasons } = start({
    openSession: (opened) => {
      opened.send({ kind: 'LOG', body: { level: 'info', at: 0, message: 'hello' } })
      return {
        receive: () => {
          throw new Error('ENOSPC: no space left on device')
        },
        ended: () => {},
      }
    },
  })
  const console = answer(connections[0]!)
  connections[0]!.events.received(console.send({ kind: 'PENDING', body: { serverMs: 1 } })[0]!)
  expect(reasons).toEqual(['PENDING could not be handled: ENOSPC: no space left on device'])
  clock.pass(30_000)
  expect(connections).toHaveLength(2)
})

test('a server that is no console, or a proxy that drops `Upgrade`, is named as the reason', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const bird = await startTestBird({
    consoleUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  const { linkError } = await bird.when((state) => state.linkError !== undefined)
  expect(linkError).toBe(
    'the answer is HTTP 404 and no WebSocket: a proxy in between must pass `Upgrade` for /bird/v1/link; without one, the address must be that of a Rookery console',
  )
})
