// What one connection does, and another one sees: messages, waits that end, MONITOR, CLIENT KILL.
import { expect, test } from 'vitest'
import { testContext } from '../../../../../test/session-context.ts'
import type { Reply, SessionRunner } from '../../../../session/session.ts'
import { redisSession } from './session.ts'

/** A connection whose `wakeSoon` is served by `run`, as the host does after the present step. */
function connect(startSession: SessionRunner, port: number) {
  let isAsked = false
  const now = Date.UTC(2026, 10, 20)
  const context = testContext({
    now: () => now,
    src: { host: '203.0.113.9', port },
    wakeSoon: () => (isAsked = true),
  })
  const session = startSession(context)
  session.open()
  let isClosed = false
  const textOf = (replies: readonly (Reply | undefined)[]): string =>
    replies
      .map((reply) => {
        if (reply?.error !== undefined) throw new Error('the session threw', { cause: reply.error })
        if (reply?.close) isClosed = true
        return Buffer.from(reply?.send ?? '').toString('latin1')
      })
      .join('')
  return {
    say: (...lines: string[]) => textOf(session.receive(Buffer.from(lines.map((l) => `${l}\r\n`).join('')))),
    /** What came without a question. */
    heard(): string {
      let text = ''
      while (isAsked && !isClosed) {
        isAsked = false
        text += textOf([session.wake()])
        if (session.hasMore) text += textOf(session.resume())
      }
      return text
    },
    leave: () => session.closed(),
    isClosed: () => isClosed,
    session,
  }
}

function pair() {
  const startSession = redisSession()
  return { a: connect(startSession, 1001), b: connect(startSession, 1002), startSession }
}

test('a message reaches who subscribed, by name and by pattern, and the publisher reads how many', () => {
  const { a, b } = pair()
  a.say('SUBSCRIBE news', 'PSUBSCRIBE n*')
  expect(b.say('PUBLISH news hi', 'PUBLISH other x', 'PUBSUB NUMSUB news', 'PUBSUB NUMPAT')).toBe(
    ':2\r\n:0\r\n*2\r\n$4\r\nnews\r\n:1\r\n:1\r\n',
  )
  expect(a.heard()).toBe(
    '*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$2\r\nhi\r\n*4\r\n$8\r\npmessage\r\n$2\r\nn*\r\n$4\r\nnews\r\n$2\r\nhi\r\n',
  )
  a.leave()
  expect(b.say('PUBLISH news hi')).toBe(':0\r\n')
})

test('a pop that waits gets what another connection pushes, and what it was sent meanwhile comes behind', () => {
  const { a, b } = pair()
  expect(a.say('BLPOP jobs 0', 'SET seen 1')).toBe('')
  expect(b.say('GET seen', 'RPUSH jobs one', 'LLEN jobs')).toBe('$-1\r\n:1\r\n:0\r\n')
  expect(a.heard()).toBe('*2\r\n$4\r\njobs\r\n$3\r\none\r\n+OK\r\n')
})

test('of two waits that were sent together, each is answered', () => {
  const { a, b } = pair()
  expect(a.say('BLPOP jobs 0', 'BLPOP more 0', 'PING')).toBe('')
  b.say('RPUSH jobs one')
  expect(a.heard()).toBe('*2\r\n$4\r\njobs\r\n$3\r\none\r\n')
  b.say('RPUSH more two')
  expect(a.heard()).toBe('*2\r\n$4\r\nmore\r\n$3\r\ntwo\r\n+PONG\r\n')
})

test('of two that wait, the first gets the element, and a value of another type wakes neither', () => {
  const { a, b, startSession } = pair()
  const c = connect(startSession, 1003)
  a.say('BLPOP jobs 0')
  b.say('BLPOP jobs 0')
  c.say('SET jobs x', 'DEL jobs', 'RPUSH jobs one')
  expect([a.heard(), b.heard()]).toEqual(['*2\r\n$4\r\njobs\r\n$3\r\none\r\n', ''])
})

test('a move that waits ends with an error when its target has another type', () => {
  const { a, b } = pair()
  a.say('BRPOPLPUSH from to 0')
  expect(b.say('SET to x', 'RPUSH from a', 'LLEN from')).toBe('+OK\r\n:1\r\n:1\r\n')
  expect(a.heard()).toContain('-WRONGTYPE ')
})

test('a script may not wait for a stream', () => {
  const { a } = pair()
  expect(a.say(`EVAL "return redis.call('xread','block',0,'streams','s','$')" 0`)).toMatch(
    /^-ERR xread command is not allowed with BLOCK option from scripts script: /,
  )
})

test('a reader of a stream waits for what is added later', () => {
  const { a, b } = pair()
  b.say('XADD s 1-1 k v')
  expect(a.say('XREAD BLOCK 0 STREAMS s $')).toBe('')
  b.say('XADD s 2-1 k v')
  expect(a.heard()).toBe('*1\r\n*2\r\n$1\r\ns\r\n*1\r\n*2\r\n$3\r\n2-1\r\n*2\r\n$1\r\nk\r\n$1\r\nv\r\n')
})

test('CLIENT UNBLOCK ends a wait', () => {
  const { a, b } = pair()
  const id = /:(\d+)/.exec(a.say('CLIENT ID'))![1]!
  a.say('BLPOP jobs 0')
  expect(b.say(`CLIENT UNBLOCK ${id} ERROR`, `CLIENT UNBLOCK ${id}`)).toBe(':1\r\n:0\r\n')
  expect(a.heard()).toBe('-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n')
})

test('MONITOR shows what others execute, and hides passwords and administration', () => {
  const { a, b } = pair()
  a.say('MONITOR')
  b.say('SET k "a\\x00\\n"', 'CONFIG GET dir', 'AUTH secret', 'NOSUCH')
  expect(a.heard().replace(/^\+\d{10}\.\d{6}/gm, 'AT')).toBe(
    'AT [0 203.0.113.9:1002] "SET" "k" "a\\x00\\n"\r\nAT [0 203.0.113.9:1002] "AUTH" "(redacted)"\r\n',
  )
  expect(a.say('GET k')).toBe("-ERR Replica can't interact with the keyspace\r\n")
})

test('CLIENT KILL closes a connection at once, though it is silent', () => {
  const { a, b } = pair()
  a.say('PING')
  expect(b.say('CLIENT KILL TYPE normal')).toBe(':1\r\n')
  a.heard()
  expect(a.isClosed()).toBe(true)
})

test('CLIENT PAUSE holds back the others until its time or CLIENT UNPAUSE, with their evidence noted at once', () => {
  const { a, b } = pair()
  expect(b.say('CLIENT PAUSE 5000 WRITE')).toBe('+OK\r\n')
  expect(a.say('GET k')).toBe('$-1\r\n')
  const [held] = a.session.receive(Buffer.from('SET k v\r\nGET k\r\n'))
  expect(held).toMatchObject({
    holds: true,
    wakeMs: 5_000,
    events: [{ fields: { CMD: 'SET', ARGS: 'k v' } }],
  })
  expect(b.say('GET k', 'CLIENT UNPAUSE')).toBe('$-1\r\n+OK\r\n')
  expect(a.heard()).toBe('+OK\r\n$1\r\nv\r\n')
})

test('ACL DELUSER closes the connections of the user', () => {
  const { a, b } = pair()
  a.say('ACL SETUSER eve on >p ~* +@all', 'AUTH eve p')
  expect(b.say('ACL DELUSER eve')).toBe(':1\r\n')
  a.heard()
  expect(a.isClosed()).toBe(true)
})

test('what waits for connections that do not read is bounded', () => {
  const { a, b } = pair()
  a.say('SUBSCRIBE c')
  for (let i = 0; i < 10; i += 1) b.say(`PUBLISH c ${'x'.repeat(50_000)}`, `PUBLISH c ${'x'.repeat(50_000)}`)
  expect(a.session.unreadBytes).toBeGreaterThan(900_000)
  for (let i = 0; i < 100; i += 1) b.say(`PUBLISH c ${'x'.repeat(50_000)}`)
  expect(a.session.unreadBytes).toBeLessThan(2.2 * 1024 * 1024)
  a.heard()
  expect(a.isClosed()).toBe(true)
})
