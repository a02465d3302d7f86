import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sized } from '@rookery/kernel/test/size.ts'
import { REKEY_FRAMES, REKEY_MS } from './frame-channel.ts'
import type { Frame } from './messages.ts'
import { keyPair } from './noise/keys.ts'
import { session, type SessionOptions } from './session.ts'

let now = 0
const common = { clock: { now: () => now }, random: { bytes: (n: number) => randomBytes(n) } }
const ack = (upto: number): Frame => ({ kind: 'ACK', body: { spoolId: 'ab'.repeat(16), upto } })
const goodbye: Frame = { kind: 'GOODBYE', body: { reason: 'stopping' } }

function pair(options: { bird?: Partial<SessionOptions>; console?: Partial<SessionOptions> } = {}) {
  const bird = session({ role: 'initiator', staticKey: keyPair(randomBytes(32)), ...common, ...options.bird })
  const console = session({
    role: 'responder',
    staticKey: keyPair(randomBytes(32)),
    ...common,
    ...options.console,
  })
  return { bird, console }
}

function openPair(consoleOptions: Partial<SessionOptions> = {}, birdOptions = consoleOptions) {
  const { bird, console } = pair({ bird: birdOptions, console: consoleOptions })
  const second = console.receive(bird.begin()).reply!
  const third = bird.receive(second).reply!
  expect(console.receive(third)).toEqual({})
  const first = bird.send(goodbye)[0]!
  expect(console.receive(first)).toEqual({ opened: true, frame: goodbye })
  return { bird, console }
}

describe('a session', () => {
  test('carries frames both ways once it is open', () => {
    const { bird, console } = openPair()
    for (let i = 0; i < 20; i++) {
      for (const message of console.send(ack(i))) expect(bird.receive(message)).toEqual({ frame: ack(i) })
      for (const message of bird.send(goodbye)) expect(console.receive(message)).toEqual({ frame: goodbye })
    }
  })

  test('is open for the console only with the first frame', () => {
    const { bird, console } = pair()
    const { reply, opened } = bird.receive(console.receive(bird.begin()).reply!)
    expect(opened).toBe(true)
    expect(console.receive(reply!)).toEqual({})
    expect(console.remoteKey()).toBeUndefined()
    expect(() => console.send(ack(1))).toThrow('not open yet')
    expect(console.receive(bird.send(goodbye)[0]!).opened).toBe(true)
    expect(console.remoteKey()).toHaveLength(32)
  })

  test('a Bird sends nothing, not even its key, to a console whose key it does not accept', () => {
    const { bird, console } = pair({ bird: { accept: () => 'not the pinned key' } })
    const received = bird.receive(console.receive(bird.begin()).reply!)
    expect(received).toEqual({ problem: { code: 'untrusted-key', message: 'not the pinned key' } })
    expect(received.reply).toBeUndefined()
    expect(() => bird.send(goodbye)).toThrow('over')
  })

  test('a console can refuse the key of a Bird', () => {
    const { bird, console } = pair({ console: { accept: () => 'revoked' } })
    const third = bird.receive(console.receive(bird.begin()).reply!).reply!
    expect(console.receive(third).problem).toEqual({ code: 'untrusted-key', message: 'revoked' })
  })

  test('a frame that only the other side may send ends it', () => {
    const { bird, console } = openPair()
    expect(console.receive(bird.send(ack(1))[0]!).problem?.message).toContain('wrong side')
  })
})

describe('messages of an attacker', () => {
  test('repeated, reordered, altered, truncated or left out end a session', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('repeat', 'reorder', 'alter', 'truncate', 'lengthen', 'drop', 'foreign'),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (attack, position, mask) => {
          const { bird, console } = openPair()
          const [a, b] = [console.send(ack(1))[0]!, console.send(ack(2))[0]!]
          const at = position % a.length
          const altered = Buffer.from(a)
          altered[at]! ^= mask
          const delivered: Buffer[] = {
            repeat: [a, a],
            reorder: [b, a],
            alter: [altered],
            truncate: [a.subarray(0, at)],
            lengthen: [Buffer.concat([a, Buffer.alloc(1 + (position % 40))])],
            drop: [b],
            foreign: [openPair().console.send(ack(1))[0]!],
          }[attack]
          const results = delivered.map((message) => bird.receive(message))
          expect(results.at(-1)?.problem).toBeDefined()
          expect(bird.receive(a).problem?.code).toBe('closed')
        },
      ),
      { numRuns: sized(200, 40) },
    )
  })

  test('in the handshake make neither side throw or open', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 120 }), { maxLength: 4 }), (messages) => {
        const { bird, console } = pair()
        bird.begin()
        for (const message of messages) {
          expect(bird.receive(message).opened).toBeUndefined()
          expect(console.receive(message).opened).toBeUndefined()
        }
      }),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1, 2),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (which, position, mask) => {
          const { bird, console } = pair()
          const twist = (message: Buffer, i: number): Buffer => {
            if (i === which) message[position % message.length]! ^= mask
            return message
          }
          const second = console.receive(twist(bird.begin(), 0))
          const third = second.reply && bird.receive(twist(second.reply, 1))
          const last = third?.reply && console.receive(twist(third.reply, 2))
          const hello =
            third?.opened && last && !last.problem ? console.receive(bird.send(goodbye)[0]!) : undefined
          expect(hello?.opened).toBeUndefined()
        },
      ),
      { numRuns: sized(200, 40) },
    )
  })
})

describe('the keys of a session', () => {
  test('are renewed after a day', () => {
    const { bird, console } = openPair()
    now += REKEY_MS
    const messages = console.send(ack(1))
    expect(messages).toHaveLength(2)
    expect(messages.map((message) => bird.receive(message))).toEqual([{}, { frame: ack(1) }])
    expect(console.send(ack(2))).toHaveLength(1)
  })

  test('are renewed after 2^20 frames; a side that does not is left', () => {
    expect(REKEY_FRAMES).toBe(2 ** 20)
    const { bird, console } = openPair({ rekeyFrames: 8 })
    const counts = Array.from({ length: 30 }, (_, i) => {
      const messages = console.send(ack(i))
      expect(messages.map((message) => bird.receive(message)).at(-1)).toEqual({ frame: ack(i) })
      return messages.length
    })
    expect(counts.filter((length) => length === 2)).toHaveLength(3)

    const negligent = openPair({ rekeyFrames: 1000 }, { rekeyFrames: 8 })
    const results = Array.from({ length: 9 }, (_, i) =>
      negligent.bird.receive(negligent.console.send(ack(i))[0]!),
    )
    expect(results.at(-1)?.problem?.message).toContain('renew its key')
  })
})
