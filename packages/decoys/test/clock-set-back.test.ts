// A clock that is set back, as NTP does to a machine without a battery, makes no decoy deaf, and no source unseen.
import { afterEach, expect, test } from 'vitest'
import { emptyStats, defaultLimits } from '../src/host/limits.ts'
import { buildHostContext } from '../src/host/host-context.ts'
import type { HostTouch } from '../src/host/host-touch.ts'
import type { Host } from '../src/host/host.ts'
import { repeatedGuesses } from '../src/session/repeated-guesses.ts'
import { redisSession } from '../src/services/redis/products/redis-server/session.ts'
import { exchangeBudget } from '../src/services/ssh/protocol/exchange-budget.ts'
import { sourcePenalties } from '../src/services/ssh/protocol/source-penalties.ts'
import { blacklist } from '../src/services/vnc/products/tigervnc/blacklist.ts'
import { attemptsBySource } from '../src/services/vnc/products/tightvnc/attempts.ts'
import { lineListener } from './line-service.ts'
import { manualClock } from './manual-clock.ts'
import { replay } from './replay.ts'
import { deriveFrom, testContext } from './session-context.ts'
import { connectTo } from './tcp-client.ts'
import { openTestHost, portOf } from './test-host.ts'

const HOUR = 3_600_000
const T = Date.UTC(2026, 10, 20, 9, 39, 2)
const SOURCE = '192.0.2.1'
const DST = { host: '198.51.100.1', port: 22 }

let host: Host | undefined
afterEach(() => host?.close())

test('SSH: no exchange waits for the hour to come again, and what was reserved stays so', () => {
  const budget = exchangeBudget()
  for (let reserved = 0; reserved < 20; reserved += 1) budget.reserve(SOURCE, T)
  expect(budget.isFull('203.0.113.9', T - HOUR)).toBe(false)
  expect(budget.reserve('203.0.113.9', T - HOUR)).toBe(0)
  expect(budget.reserve(SOURCE, T - HOUR)).toBe(1_100)
  expect(budget.reserve(SOURCE, T - HOUR + 10_000)).toBe(0)
})

test('penalties of sshd, blocks of VNC and repeated guesses last as long as they would have', () => {
  const penalties = sourcePenalties()
  for (let i = 0; i < 4; i += 1) penalties.add(SOURCE, 'failed', T)
  const { isBlocked, note } = attemptsBySource()
  for (let i = 0; i < 5; i += 1) note(SOURCE, T)
  const { refusal } = blacklist()
  const isRefused = (now: number): boolean =>
    refusal({ address: SOURCE, source: SOURCE, open: 0, now, random: (length) => Buffer.alloc(length) }) !==
    undefined
  for (let i = 0; i < 5; i += 1) isRefused(T)
  const guesses = repeatedGuesses()
  guesses.remember(SOURCE, ['root', 'toor'], T)
  const all = (at: number) => [penalties.isRefused(SOURCE, at), isBlocked(SOURCE, at), isRefused(at)]
  expect(all(T - HOUR)).toEqual([true, true, true])
  guesses.remember('192.0.2.2', ['root', 'toor'], T - HOUR)
  expect(all(T - HOUR + 61_000)).toEqual([false, false, false])
  expect(guesses.consumeRepeat(SOURCE, ['root', 'toor'], T - HOUR + 61_000)).toBe(false)
})

test('Redis is not busy for an hour with a script of before', () => {
  const startSession = redisSession()
  const evaluate = (now: number) =>
    replay({ name: '', send: ['EVAL "return 1" 0\r\n'] }, startSession, testContext({ now: () => now })).text
  expect([evaluate(T), evaluate(T - HOUR)]).toEqual([':1\r\n', ':1\r\n'])
})

function openContext() {
  const clock = manualClock(T)
  const touches: HostTouch[] = []
  const context = buildHostContext(
    {
      clock,
      random: { bytes: (length) => new Uint8Array(length) },
      derive: deriveFrom('bird-1'),
      emit: (raised) => touches.push(...raised),
      connected: () => {},
    },
    defaultLimits,
    emptyStats(),
  )
  return { clock, touches, context }
}

test('silent sources are reported after a minute, with the time of the corrected clock', () => {
  const { clock, touches, context } = openContext()
  const connect = (from: string) =>
    context.silent({ instance: 'ssh', src: { host: from, port: 1 }, dst: DST, isRefused: false })
  connect(SOURCE)
  clock.set(-24 * HOUR)
  for (const from of ['192.0.2.2', '192.0.2.2', SOURCE]) connect(from)
  clock.advance(60_000)
  expect(touches.map(({ srcHost, at, fields }) => [srcHost, at - T + 24 * HOUR, fields['COUNT']])).toEqual([
    [SOURCE, 24 * HOUR, 1],
    ['192.0.2.2', 0, 1],
    [SOURCE, 60_000, 1],
    ['192.0.2.2', 60_000, 1],
  ])
})

test('a source counts as reported for a minute, and no longer', () => {
  const { clock, context } = openContext()
  const src = { host: SOURCE, port: 1 }
  context.raise([{ logtype: '4002', fields: {} }], lineListener(22), testContext({ src, dst: DST }))
  clock.set(-HOUR)
  expect(context.isReported('line', SOURCE)).toBe(true)
  clock.advance(60_000)
  expect(context.isReported('line', SOURCE)).toBe(false)
})

test('silence ends a connection after its time, or twice that: nobody saw when the clock was set', async () => {
  const clock = manualClock(T)
  const opened = openTestHost({ clock })
  host = opened.host
  await host.apply([lineListener(1)])
  const client = connectTo(portOf(host))
  await client.until(/hello/)
  clock.set(-HOUR)
  clock.advance(60_000)
  clock.advance(60_000)
  expect((await client.closed).text).toBe('hello\nidle\n')
})
