// Apache's 150 workers: who holds them keeps others of its source waiting, as Debian's Apache did.
import { expect, test } from 'vitest'
import { deriveFrom, testContext } from '../../../../../test/session-context.ts'
import type { SessionContext } from '../../../../session/session.ts'
import { webSession } from '../../servers.ts'
import { loadSkin } from '../../load-skin.ts'

const [HEAD, REST] = ['GET / HTTP/1.1\r\nHo', 'st: a\r\n\r\n'] as const
const startSession = webSession({ banner: '', skin: loadSkin('nas'), headers: {} })

/** Clients of one Bird, and a clock that is turned by hand: each session is woken when it asked for it. */
function openBird() {
  let now = Date.UTC(2026, 10, 20)
  const derive = deriveFrom('bird-1')
  const bird = (label: string, length: number): Buffer => derive(label, length)
  const clients: { readonly wakeAt: () => number; readonly wake: () => void }[] = []

  function connect(source = '203.0.113.9') {
    const said = { text: '', closed: false, events: 0 }
    let wakeAt = Infinity
    let soonAt = Infinity
    const context: SessionContext = {
      ...testContext({ derive: bird, now: () => now, src: { host: source, port: 40_000 } }),
      wakeSoon: () => (soonAt = now),
    }
    const session = startSession(context)
    const take = (replies: ReturnType<typeof session.receive>): void => {
      for (const { send = '', close, wakeMs, events = [], error } of replies) {
        if (error !== undefined) throw new Error(`The session threw: ${String(error)}`)
        said.text += send.toString()
        said.events += events.length
        if (wakeMs !== undefined) wakeAt = now + wakeMs
        if (close) said.closed = true
      }
    }
    const settle = (): void => {
      while (session.hasMore) take(session.resume())
    }
    take([session.open()])
    clients.push({
      wakeAt: () => (said.closed ? Infinity : Math.min(wakeAt, soonAt)),
      wake() {
        if (soonAt <= now) soonAt = Infinity
        else wakeAt = Infinity
        const reply = session.wake()
        if (reply) take([reply])
        settle()
      },
    })
    return {
      said,
      send(text: string) {
        if (!said.closed) take(session.receive(Buffer.from(text)))
        settle()
      },
      leave() {
        said.events += session.closed().length
        said.closed = true
      },
    }
  }

  function pass(ms: number): void {
    const until = now + ms
    for (;;) {
      const next = clients.reduce((first, one) => (one.wakeAt() < first.wakeAt() ? one : first), clients[0]!)
      if (next.wakeAt() > until) break
      now = Math.max(now, next.wakeAt())
      next.wake()
    }
    now = until
  }
  return { connect, pass }
}

const countOf = (all: readonly { said: { text: string; closed: boolean } }[]) => ({
  answered: all.filter(({ said }) => said.text.startsWith('HTTP/1.1 200')).length,
  closed: all.filter(({ said }) => said.closed).length,
})

/** 200 connections hold half a request each, for as long as Apache takes to start all its processes. */
function openCrowd() {
  const bird = openBird()
  const crowd = Array.from({ length: 200 }, () => bird.connect())
  for (const client of crowd) {
    client.send(HEAD)
    bird.pass(10)
  }
  bird.pass(2_000)
  return { ...bird, crowd }
}

test('of 200 clients with half a request, 150 have a worker: only their time runs out', () => {
  const { crowd, pass } = openCrowd()
  // 20 s from a head's worker on (RequestReadTimeout); then those behind them have workers.
  pass(20_000)
  expect(crowd.slice(0, 150).every(({ said }) => said.text.startsWith('HTTP/1.1 408'))).toBe(true)
  expect(crowd.slice(150).filter(({ said }) => said.closed)).toHaveLength(0)
  pass(21_000)
  expect(crowd.every(({ said }) => said.text.startsWith('HTTP/1.1 408'))).toBe(true)
})

test('all 200 are answered; the processes that were full, and those that are too many, keep none alive', () => {
  const { crowd, pass } = openCrowd()
  for (const client of crowd) {
    client.send(REST)
    pass(5)
  }
  // As measured of Debian's Apache: some 75 a second later, 125 after three seconds, all after five.
  expect(countOf(crowd).answered).toBe(200)
  pass(2_900)
  expect(countOf(crowd)).toEqual({ answered: 200, closed: 125 })
  pass(3_000)
  expect(countOf(crowd)).toEqual({ answered: 200, closed: 200 })
})

test('one that waits is answered as soon as one before it leaves', () => {
  const { crowd, pass } = openCrowd()
  const last = crowd.at(-1)!
  for (const client of crowd.slice(150, 199)) client.leave()
  last.send(REST)
  pass(100)
  expect(last.said.text).toBe('')
  crowd[0]!.leave()
  pass(0)
  expect(last.said.text).toMatch(/^HTTP\/1\.1 200/)
})

test('another source has workers of its own: nobody shuts the decoy for others', () => {
  const { connect } = openCrowd()
  const other = connect('198.51.100.7')
  other.send(HEAD + REST)
  expect(other.said).toMatchObject({ events: 1 })
  expect(other.said.text).toMatch(/^HTTP\/1\.1 200/)
})

test('a request that waited for a worker in vain is reported all the same', () => {
  const { crowd, connect } = openCrowd()
  expect(crowd).toHaveLength(200)
  const late = connect()
  late.send(HEAD + REST)
  expect(late.said).toEqual({ text: '', closed: false, events: 0 })
  late.leave()
  expect(late.said.events).toBe(1)
})

test('few clients are kept alive for five seconds each, one request after another', () => {
  const { connect, pass } = openBird()
  const clients = Array.from({ length: 20 }, () => connect())
  for (const client of clients) client.send(HEAD + REST)
  pass(4_000)
  for (const client of clients) client.send(HEAD + REST)
  pass(4_000)
  expect(countOf(clients)).toEqual({ answered: 20, closed: 0 })
  pass(1_100)
  expect(countOf(clients)).toEqual({ answered: 20, closed: 20 })
  expect(clients.every(({ said }) => said.events === 2)).toBe(true)
})
