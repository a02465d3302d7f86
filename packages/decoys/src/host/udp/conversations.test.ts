// Conversations by UDP at a port of their own, with a server of blocks such as TFTP's.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { afterEach, expect, test } from 'vitest'
import { manualClock } from '../../../test/manual-clock.ts'
import { openTestHost, portOf } from '../../../test/test-host.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { SessionDefinition, Step } from '../../session/session.ts'
import type { Host } from '../host.ts'
import type { HostLimits } from '../limits.ts'

const REPEAT_MS = 200
const opened: { host: Host; sockets: Socket[] }[] = []
afterEach(async () => {
  for (const { host, sockets } of opened.splice(0)) {
    await host.close()
    for (const socket of sockets) socket.close()
  }
})

const block = (n: number): Step<number> => ({ state: n, send: `block ${n} of many`, wakeMs: REPEAT_MS })

/** `read` begins; `ack` asks for the next block, of which the third is the last; other words are answered as usual. */
const blocks: SessionDefinition<number, string> = {
  limits: { frameBytes: 1_000, idleMs: 60_000 },
  decode: (bytes) => (bytes.length === 0 ? undefined : { frame: String(bytes), length: bytes.length }),
  open: () => ({ state: 0 }),
  step(state, word) {
    const events = [{ logtype: '10001', fields: { WORD: word } }]
    if (word === 'read') return { ...block(1), events, from: 'fresh' }
    if (word === 'throw') throw new Error('a session that throws')
    if (word !== 'ack') return { state, events, send: '?' }
    return state === 3 ? { state, send: 'end', close: 'end' } : block(state + 1)
  },
  wake: (state) => block(state),
  closed: (state) => (state > 0 ? [{ logtype: '10001', fields: { LAST: state } }] : []),
}

interface Said {
  readonly text: string
  readonly from: RemoteInfo
}

async function open(limits: Partial<HostLimits> = {}) {
  const clock = manualClock()
  const { host, touches } = openTestHost({ clock, limits })
  const sockets: Socket[] = []
  opened.push({ host, sockets })
  const startSession = sessionRunner(blocks)
  await host.apply([{ instance: 'tftp', transport: 'udp', port: 69, startSession, answerBytes: 64 }])
  const asked = portOf(host, 'tftp')

  /** A client that waits for one datagram after another. */
  async function client(address = '127.0.0.1') {
    const socket = createSocket('udp4')
    sockets.push(socket)
    socket.bind(0, address)
    await once(socket, 'listening')
    const said: Said[] = []
    let heard = 0
    socket.on('message', (bytes, from) => said.push({ text: String(bytes), from }))
    return {
      say: (word: string, port = asked) => socket.send(word, port, '127.0.0.1'),
      async next(): Promise<Said> {
        await expect.poll(() => said.length).toBeGreaterThan(heard)
        return said[heard++]!
      },
      unheard: () => said.length - heard,
    }
  }
  return { clock, host, touches, asked, client }
}

const fieldsOf = (touches: readonly { readonly fields: object }[]): object[] =>
  touches.map(({ fields }) => fields)

test('a conversation goes on at a port of its own, with the address that was asked, and ends with its session', async () => {
  const { asked, client, touches, host } = await open()
  const { say, next } = await client()
  say('read')
  const { text, from } = await next()
  expect([text, from.address]).toEqual(['block 1 of many', '127.0.0.1'])
  expect(from.port).not.toBe(asked)
  for (const n of [2, 3]) {
    say('ack', from.port)
    expect(await next()).toMatchObject({ text: `block ${n} of many`, from: { port: from.port } })
  }
  say('ack', from.port)
  expect((await next()).text).toBe('end')
  await expect.poll(() => fieldsOf(touches)).toEqual([{ WORD: 'read' }, { LAST: 3 }])
  // The port that was asked is where the touch was, for both events.
  expect(touches.map(({ dstPort }) => dstPort)).toEqual([69, 69])
  say('what', asked)
  expect((await next()).text).toBe('?')
  expect(host.stats.errors).toBe(0)
})

test('what is not acknowledged is sent again, and to a stranger each time is a long answer that counts', async () => {
  const { clock, client } = await open({
    answersPerSource: withMax(limit('test_repeats', 0), 1),
    answersAtOnce: 3,
  })
  const { say, next, unheard } = await client()
  say('read')
  const { text, from } = await next()
  expect(text).toBe('block 1 of many')
  for (const _ of [1, 2, 3, 4]) clock.advance(REPEAT_MS)
  for (const _ of [1, 2]) expect((await next()).text).toBe(text)
  say('ack', from.port)
  expect((await next()).text).toBe('block 2 of many')
  // Somebody who has answered is no stranger.
  clock.advance(REPEAT_MS)
  clock.advance(REPEAT_MS)
  for (const _ of [1, 2]) expect((await next()).text).toBe('block 2 of many')
  expect(unheard()).toBe(0)
})

test('a source that asks for many conversations gets no more long answers than the limit says', async () => {
  const { client } = await open()
  const [many, other] = [await client('127.0.0.2'), await client('127.0.0.3')]
  for (let asked = 0; asked < 105; asked += 1) many.say('read')
  for (let answered = 0; answered < 100; answered += 1) await many.next()
  other.say('read')
  await other.next()
  expect(many.unheard()).toBe(0)
})

test('a conversation lasts 30 s', async () => {
  const { clock, client, touches } = await open()
  const { say, next } = await client()
  say('read')
  const { from } = await next()
  clock.advance(29_000)
  await next()
  say('ack', from.port)
  await next()
  expect(fieldsOf(touches)).toEqual([{ WORD: 'read' }])
  clock.advance(1_000)
  expect(fieldsOf(touches)).toEqual([{ WORD: 'read' }, { LAST: 2 }])
})

test('where there are too many, a new one takes the place of one whose peer has not answered there', async () => {
  const conversations = withMax(limit('test_conversations', 0), 2)
  const { client, touches } = await open({ conversations })
  const [known, forged, late] = [await client(), await client('127.0.0.2'), await client('127.0.0.3')]
  known.say('read')
  const { from } = await known.next()
  known.say('ack', from.port)
  await known.next()
  forged.say('read')
  await forged.next()
  late.say('read')
  const second = await late.next()
  expect(fieldsOf(touches).at(-1)).toEqual({ LAST: 1 })
  expect(touches.at(-1)?.srcHost).toBe('127.0.0.2')
  known.say('ack', from.port)
  expect((await known.next()).text).toBe('block 3 of many')
  late.say('ack', second.from.port)
  await late.next()
  // Both are known now.
  forged.say('read')
  forged.say('what')
  expect((await forged.next()).text).toBe('?')
  expect(conversations.hits()).toBeGreaterThan(0)
})

test('a decoy that is closed ends its conversations, with their last events', async () => {
  const { client, host, touches } = await open()
  const { say, next, unheard } = await client()
  say('read')
  const { from } = await next()
  await host.apply([])
  expect(fieldsOf(touches)).toEqual([{ WORD: 'read' }, { LAST: 1 }])
  say('ack', from.port)
  await host.close()
  expect(unheard()).toBe(0)
})

test('a session that throws ends its conversation alone', async () => {
  const { client, host } = await open()
  const [bad, good] = [await client(), await client('127.0.0.2')]
  bad.say('read')
  const { from } = await bad.next()
  bad.say('throw', from.port)
  await expect.poll(() => host.stats.errors).toBe(1)
  good.say('read')
  await good.next()
})
