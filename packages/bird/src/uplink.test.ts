// What a broken or hostile other side can do to a Bird: nothing but keep it waiting.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { keyPair } from '@rookery/link/noise/keys.ts'
import type { Frame } from '@rookery/link/messages.ts'
import { session, type Session } from '@rookery/link/session.ts'
import type { Carrier, LineEvents } from './carrier/ws.ts'
import { birdForTest } from '../test/bird.ts'
import { systemClock as clock, systemRandom as random } from './world.ts'
import { uplink, type UplinkOptions } from './uplink.ts'

/** A carrier in memory: `sides` are the connections that the Bird has opened. */
function memoryCarrier() {
  const sides: { events: LineEvents; sent: Buffer[]; isCut: boolean }[] = []
  const carrier: Carrier = (events) => {
    const side = { events, sent: [] as Buffer[], isCut: false }
    sides.push(side)
    const close = () => {
      if (side.isCut) return
      side.isCut = true
      events.closed('')
    }
    return { send: (message) => void side.sent.push(message), close, cut: close }
  }
  return { carrier, sides }
}

/** Time that stands still until it is told to go on. */
function handClock() {
  let timers: { at: number; wake: () => void }[] = []
  let now = 0
  return {
    now: () => now,
    monotonicMs: () => now,
    after(ms: number, wake: () => void) {
      const timer = { at: now + ms, wake }
      timers.push(timer)
      return () => void (timers = timers.filter((other) => other !== timer))
    },
    pass(ms: number) {
      const end = now + ms
      for (;;) {
        const due = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
        if (!due) break
        timers = timers.filter((other) => other !== due)
        now = due.at
        due.wake()
      }
      now = end
    },
  }
}

function start(over: Partial<UplinkOptions> = {}) {
  const { carrier, sides } = memoryCarrier()
  const hand = handClock()
  const troubles: string[] = []
  const frames: Frame[] = []
  const link = uplink({
    carrier,
    key: keyPair(randomBytes(32)),
    clock: hand,
    random,
    accept: () => undefined,
    talk: (voice) => {
      voice.send({ kind: 'LOG', body: { level: 'info', at: 0, message: 'hello' } })
      return { receive: (frame) => void frames.push(frame), ended: () => {} }
    },
    onTrouble: (reason) => void troubles.push(reason),
    ...over,
  })
  return { link, sides, hand, troubles, frames }
}

function answer(side: { events: LineEvents; sent: Buffer[] }): Session {
  const console = session({ role: 'responder', staticKey: keyPair(randomBytes(32)), clock, random })
  side.events.opened('192.0.2.7')
  side.events.received(console.receive(side.sent[0]!).reply!)
  console.receive(side.sent[1]!)
  expect(console.receive(side.sent[2]!)).toMatchObject({ opened: true, frame: { kind: 'LOG' } })
  return console
}

test('garbage at any point ends the connection with a reason, and the next one is tried', () => {
  fc.assert(
    fc.property(fc.nat(1), fc.uint8Array({ maxLength: 200 }), (stage, garbage) => {
      const { sides, hand, troubles } = start()
      if (stage === 0) sides[0]!.events.opened('')
      else answer(sides[0]!)
      sides[0]!.events.received(Buffer.from(garbage))
      expect(sides[0]!.isCut).toBe(true)
      expect(troubles).toEqual([expect.stringMatching(/handshake|altered|low order/) as string])
      hand.pass(300)
      expect(sides).toHaveLength(2)
    }),
  )
})

test('a console that never answers is left after 15 s, and asked again ever more slowly, with jitter', () => {
  const { sides, hand, troubles } = start()
  sides[0]!.events.opened('')
  hand.pass(15_000)
  expect(troubles).toEqual(['the console did not answer the handshake'])
  const waits: number[] = []
  for (let i = 0; i < 12; i++) {
    const from = hand.now()
    while (sides.length === i + 1) hand.pass(10)
    waits.push(hand.now() - from)
    sides.at(-1)!.events.closed('connect ECONNREFUSED')
  }
  waits.forEach((ms, i) => {
    const most = Math.min(250 * 2 ** i, 30_000)
    expect(ms).toBeGreaterThanOrEqual(most / 2 - 10)
    expect(ms).toBeLessThanOrEqual(most + 20)
  })
  expect(new Set(waits.slice(-5)).size).toBeGreaterThan(1)
})

test('a session that stood makes the next one quick again', () => {
  const { sides, hand, frames } = start()
  for (let i = 0; i < 8; i++) {
    sides.at(-1)!.events.closed('refused')
    hand.pass(30_000)
  }
  const console = answer(sides.at(-1)!)
  for (const message of console.send({ kind: 'PENDING', body: { serverMs: 1 } }))
    sides.at(-1)!.events.received(message)
  expect(frames).toHaveLength(1)
  const before = sides.length
  sides.at(-1)!.events.closed('gone')
  hand.pass(250)
  expect(sides).toHaveLength(before + 1)
})

test('a console whose key is not accepted hears not a byte of the Bird’s key', () => {
  const { sides } = start({ accept: () => 'another key than the pinned one' })
  const console = session({ role: 'responder', staticKey: keyPair(randomBytes(32)), clock, random })
  sides[0]!.events.opened('')
  sides[0]!.events.received(console.receive(sides[0]!.sent[0]!).reply!)
  expect(sides[0]!.sent).toHaveLength(1)
  expect(sides[0]!.isCut).toBe(true)
})

test('after stop nothing is tried any more', () => {
  const { link, sides, hand } = start()
  answer(sides[0]!)
  link.stop('bye')
  hand.pass(3_600_000)
  expect(sides).toHaveLength(1)
})

test('a frame that cannot be dealt with is told, and tried again on a later session', () => {
  const { sides, hand, troubles } = start({
    talk: (voice) => {
      voice.send({ kind: 'LOG', body: { level: 'info', at: 0, message: 'hello' } })
      return {
        receive: () => {
          throw new Error('ENOSPC: no space left on device')
        },
        ended: () => {},
      }
    },
  })
  const console = answer(sides[0]!)
  sides[0]!.events.received(console.send({ kind: 'PENDING', body: { serverMs: 1 } })[0]!)
  expect(troubles).toEqual(['PENDING could not be dealt with: ENOSPC: no space left on device'])
  hand.pass(30_000)
  expect(sides).toHaveLength(2)
})

test('a server that is no console is named as the trouble', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const bird = await birdForTest({ consoleUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  const { trouble } = await bird.when((state) => state.trouble !== undefined)
  expect(trouble).toBe('Unexpected server response: 404')
})
