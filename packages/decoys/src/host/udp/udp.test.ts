// Datagrams: what may be answered to a source that anyone can forge, and how many touches one may raise.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { limit, withMax } from '@rookery/kernel/limit.ts'
import { afterEach, expect, test } from 'vitest'
import { questionsByUdp } from '../../../test/first-contact.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { openDecoys } from '../../../test/open-decoys.ts'
import { lineListener } from '../../../test/line-service.ts'
import { connectTo } from '../../../test/tcp-client.ts'
import { openTestHost, portOf } from '../../../test/test-host.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { Listener, SessionDefinition } from '../../session/session.ts'
import type { Host } from '../host.ts'
import type { HostLimits } from '../limits.ts'

const bound = limit('test_udp', 0)
const hosts: Host[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close()
  await Promise.all(hosts.splice(0).map((host) => host.close()))
})

/** Answers a datagram such as `50` with as many bytes; one that begins with `!` is an event, too. */
const asMany: SessionDefinition<undefined, string> = {
  limits: { frameBytes: 1_000, idleMs: 1_000 },
  decode: (bytes) =>
    bytes.length === 0 ? undefined : { frame: bytes.toString('latin1'), length: bytes.length },
  open: () => ({ state: undefined }),
  step: (state, text) => ({
    state,
    send: 'x'.repeat(Number(text.replace('!', ''))),
    ...(text.startsWith('!') && { events: [{ logtype: '21001', fields: { TEXT: text } }] }),
  }),
}

async function open(over: Partial<HostLimits> = {}, listener: Partial<Listener> = {}) {
  const clock = manualClock()
  const { host, touches } = openTestHost({ clock, limits: over })
  hosts.push(host)
  const startSession = sessionRunner(asMany)
  await host.apply([{ instance: 'udp', transport: 'udp', port: 161, startSession, ...listener }])
  return { clock, host, touches, ask: await asker(portOf(host, 'udp')) }
}

/**
 * Sends datagrams, and answers the lengths of what came back. Loopback keeps their order: the answer to `1`, sent last, is
 * the last to come.
 */
async function asker(port: number) {
  const bySource = new Map<string, Socket>()
  return async (texts: readonly string[], source = '127.0.0.1'): Promise<number[]> => {
    const socket = bySource.get(source) ?? createSocket('udp4')
    if (!bySource.has(source)) {
      sockets.push(socket)
      bySource.set(source, socket.bind(0, source))
      await once(socket, 'listening')
    }
    const lengths: number[] = []
    const last = new Promise<void>((resolve) => {
      socket.on('message', ({ length }) => {
        if (length === 1) return resolve()
        lengths.push(length)
      })
    })
    for (const text of [...texts, '1']) socket.send(text, port, '127.0.0.1')
    await last
    socket.removeAllListeners('message')
    return lengths
  }
}

test('a service that declares no budget sends no answer that is longer than its question', async () => {
  const { ask } = await open()
  expect(await ask(['2 ', '3 ', '50', '0004'])).toEqual([2, 4])
})

test('a longer answer has at most the bytes that the service declares', async () => {
  const { ask } = await open({}, { answerBytes: 50 })
  expect(await ask(['50', '51', '3'])).toEqual([50, 3])
})

test('a source gets 100 longer answers at once and then 10 a second, and another one its own', async () => {
  const { ask, clock } = await open({}, { answerBytes: 50 })
  const many = Array<string>(120).fill('50')
  expect(await ask(many)).toHaveLength(100)
  expect(await ask(['50'], '127.0.0.2')).toEqual([50])
  // What is not longer than its question hits nobody.
  expect(await ask(['2 '])).toEqual([2])
  clock.advance(1_000)
  expect(await ask(many)).toHaveLength(10)
  clock.advance(60_000)
  expect(await ask(many)).toHaveLength(100)
})

test('sources beyond those that are counted apart share one budget', async () => {
  const answeredSources = withMax(limit('test_answered_sources', 0), 1)
  const { ask } = await open({ answeredSources, answersAtOnce: 2 }, { answerBytes: 50 })
  const answered: number[] = []
  for (const n of [2, 3, 4, 5]) answered.push((await ask(['50'], `127.0.0.${n}`)).length)
  expect(answered).toEqual([1, 1, 1, 0])
})

test('all sources together get no more longer answers a second than the limit says', async () => {
  const answersInAll = withMax(bound, 3)
  const { ask } = await open({ answersInAll }, { answerBytes: 50 })
  const answered: number[] = []
  for (const n of [2, 3, 4, 5]) answered.push((await ask(['50'], `127.0.0.${n}`)).length)
  expect(answered).toEqual([1, 1, 1, 0])
  expect(answersInAll.hits()).toBe(1)
})

test('a flood of one source raises 60 events a minute, and a report counts the rest', async () => {
  const { ask, clock, touches } = await open()
  await ask(Array<string>(100).fill('!2'))
  const raised = () => touches.map(({ logtype, fields }) => [logtype, fields['COUNT']])
  const events = Array<unknown[]>(60).fill(['21001', undefined])
  expect(raised()).toEqual([...events, ['22003', 1]])
  clock.advance(60_000)
  expect(raised().slice(61)).toEqual([['22003', 39]])
  await ask(['!2'])
  expect(raised()[62]).toEqual(['21001', undefined])
})

test('forged sources raise no more touches a second than the limit says, and the metric counts the rest', async () => {
  const datagramTouches = withMax(limit('test_udp_touches', 0), 2)
  const { ask, touches } = await open({ datagramTouches })
  for (const n of [2, 3, 4]) await ask([], `127.0.0.${n}`)
  for (const n of [5, 6]) await ask(['!2'], `127.0.0.${n}`)
  expect(touches.map(({ logtype, srcHost }) => [logtype, srcHost])).toEqual([
    ['22003', '127.0.0.2'],
    ['22003', '127.0.0.3'],
  ])
  expect(datagramTouches.hits()).toBeGreaterThanOrEqual(3)
})

/** A decoy by UDP that takes a millisecond for each datagram, next to one by TCP. */
async function openSlow(over: Partial<HostLimits> = {}) {
  const { host } = openTestHost({ limits: over })
  hosts.push(host)
  let done = 0
  const slow: SessionDefinition<undefined, string> = {
    ...asMany,
    step(state) {
      const until = performance.now() + 1
      while (performance.now() < until);
      done += 1
      return { state }
    },
  }
  const startSession = sessionRunner(slow)
  await host.apply([{ instance: 'udp', transport: 'udp', port: 161, startSession }, lineListener(80)])
  const socket = createSocket('udp4')
  sockets.push(socket)
  return {
    host,
    done: () => done,
    flood(count: number, bytes = 1): void {
      for (let sent = 0; sent < count; sent += 1)
        socket.send(Buffer.alloc(bytes, 'x'), portOf(host, 'udp'), '127.0.0.1')
    },
  }
}

test('a flood of datagrams lets another decoy answer in the same turn, and is answered in the next ones', async () => {
  const { host, done, flood } = await openSlow()
  const client = connectTo(portOf(host))
  await client.until(/hello/)
  flood(60)
  client.write('one\n')
  await client.until(/one/)
  expect(done()).toBeLessThan(20)
  await expect.poll(done).toBe(60)
  client.socket.destroy()
})

test('datagrams beyond what the kernel would keep are dropped, and counted', async () => {
  const datagramBytes = withMax(limit('test_datagram_bytes', 0), 5_000)
  const { host, done, flood } = await openSlow({ datagramBytes })
  flood(20, 1_000)
  await expect.poll(() => host.stats.datagrams).toBe(20)
  await expect.poll(() => done() + datagramBytes.hits()).toBe(20)
  expect(datagramBytes.hits()).toBeGreaterThan(0)
  flood(1)
  await expect.poll(() => done() + datagramBytes.hits()).toBe(21)
})

test.each([
  ['smb', 137],
  ['dbsrv_a', 1_434],
])('who asks %s at %i by UDP, as scanners do, is reported once a minute', async (instance, port) => {
  const { host, touches } = await openDecoys()
  hosts.push(host)
  const { boundPort } = host.listening().find((it) => it.instance === instance && it.port === port)!
  const socket = createSocket('udp4')
  sockets.push(socket)
  for (let asked = 0; asked < 2; asked += 1) {
    socket.send(questionsByUdp(instance)[0]!, boundPort, '127.0.0.1')
    await once(socket, 'message')
  }
  expect(touches).toMatchObject([
    { instance, logtype: '22003', dstPort: port, fields: { SERVICE: instance, COUNT: 1, REFUSED: 0 } },
  ])
})
