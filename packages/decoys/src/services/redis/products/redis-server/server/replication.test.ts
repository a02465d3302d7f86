// The decoy as a master: what a connection meets that says it is a replica.
import { expect, test } from 'vitest'
import { deriveFrom, testContext } from '../../../../../../test/session-context.ts'
import type { Reply } from '../../../../../session/session.ts'
import { redisSession } from '../session.ts'

/** Connections with one server, at a time that moves. */
function scene() {
  const server = redisSession()
  const clock = { now: Date.UTC(2026, 10, 20) }
  const connect = () => {
    const session = server(testContext({ now: () => clock.now, derive: deriveFrom('1') }))
    session.open()
    return {
      ask: (text: string): readonly Reply[] => session.receive(Buffer.from(`${text}\r\n`)),
      wake: (): Reply => session.wake()!,
      resume: (): readonly Reply[] => session.resume(),
    }
  }
  return { connect, clock }
}
const textOf = (replies: readonly Reply[]): string =>
  replies.map(({ send = '' }) => (typeof send === 'string' ? send : send.toString('latin1'))).join('')

test('a replica gets the keys, and is pinged', () => {
  const { connect, clock } = scene()
  const [visitor, replica] = [connect(), connect()]
  visitor.ask('SET secret hunter2')
  replica.ask('REPLCONF listening-port 6380 ip-address 192.0.2.9')
  const [started] = replica.ask('PSYNC ? -1')
  expect(started!.events).toEqual([{ logtype: '21001', fields: { CMD: 'PSYNC', ARGS: '? -1' } }])
  expect(textOf([started!])).toMatch(/^\+FULLRESYNC [\da-f]{40} 0\r\n$/)
  clock.now += started!.wakeMs!
  const keys = replica.wake()
  expect(textOf([keys])).toMatch(/^\$\d+\r\nREDIS0010[^]*\x06secret\x07hunter2\xff[^]{8}$/)
  clock.now += keys.wakeMs!
  expect(textOf([replica.wake()])).toBe('*1\r\n$4\r\nping\r\n')
})

test('a replica that takes an end mark gets line ends for five seconds, then keys between two marks', () => {
  const { connect, clock } = scene()
  const replica = connect()
  replica.ask('REPLCONF capa eof capa psync2')
  let next = replica.ask('PSYNC ? -1')[0]!
  let said = ''
  while (!said.includes('EOF')) {
    clock.now += next.wakeMs!
    next = replica.wake()
    said += textOf([next])
  }
  expect(said).toMatch(/^\n{5}\+FULLRESYNC [\da-f]{40} 0\r\n\$EOF:([\da-f]{40})\r\nREDIS0010[^]+\1$/)
})

test('who wants the file alone is closed behind it, and a replica that asks is closed without an answer', () => {
  const { connect } = scene()
  const [thief, replica, visitor] = [connect(), connect(), connect()]
  thief.ask('REPLCONF rdb-only 1')
  thief.ask('SYNC')
  expect(thief.wake().close).toBe('end')
  replica.ask('SYNC')
  expect(textOf(replica.ask('REPLCONF ACK 0'))).toBe('')
  const [closed] = replica.ask('GET a')
  expect([closed!.send, closed!.close, closed!.events?.length]).toEqual([undefined, 'end', 1])
  expect(textOf(visitor.ask('PING\r\nPSYNC ? -1'))).toBe(
    '+PONG\r\n-ERR SYNC and PSYNC are invalid with pending output\r\n',
  )
})

test('the reply to a wait that ended is pending output, too', () => {
  const { clock, connect } = scene()
  const client = connect()
  client.ask('BLPOP k1 0.01\r\nPSYNC ? -1')
  clock.now += 20
  expect(textOf([client.wake(), ...client.resume()])).toBe(
    '*-1\r\n-ERR SYNC and PSYNC are invalid with pending output\r\n',
  )
})

test('the replication id is new after SLAVEOF NO ONE, and the former one is kept', () => {
  const { connect } = scene()
  const visitor = connect()
  const ids = (): (string | undefined)[] =>
    ['master_replid', 'master_replid2', 'second_repl_offset'].map(
      (name) => new RegExp(`${name}:(.*)\r`).exec(textOf(visitor.ask('INFO replication')))?.[1],
    )
  const [first, ...none] = ids()
  expect(none).toEqual(['0'.repeat(40), '-1'])
  visitor.ask('SLAVEOF NO ONE')
  expect(ids()).toEqual([first, ...none])
  visitor.ask('SLAVEOF 192.0.2.1 6379')
  visitor.ask('SLAVEOF NO ONE')
  expect(ids()).toEqual([expect.not.stringMatching(first!), first, '1'])
})
