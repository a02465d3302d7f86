import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lines } from '../../test/line-service.ts'
import { testContext } from '../../test/session-context.ts'
import { sessionRunner } from './session-runner.ts'

const opened = (over: Partial<typeof lines> = {}) => {
  const session = sessionRunner({ ...lines, ...over })(testContext())
  session.open()
  return session
}
const sent = (replies: readonly { send?: string | Buffer }[]) =>
  replies.map(({ send }) => String(send ?? '')).join('')

test('bytes get the same answers however they are split into segments', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 30 }).map((s) => s.replaceAll('\n', ''))),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (texts, sizes) => {
        const words = texts.filter(
          (text) => !['throw', 'bye', 'reset', 'leave', 'slow', 'big', 'later', 'fail'].includes(text),
        )
        const bytes = Buffer.from(words.map((word) => `${word}\n`).join(''))
        const whole = sent(opened().receive(bytes))
        const session = opened()
        let split = ''
        for (let at = 0; at < bytes.length;) {
          const size = sizes.next().value as number
          split += sent(session.receive(bytes.subarray(at, at + size)))
          at += size
        }
        expect(split).toBe(whole)
        expect(whole).toBe(bytes.toString())
      },
    ),
  )
})

test('the end of the peer closes a session, behind what it says to that', () => {
  expect(opened().ended()).toMatchObject({ close: 'end' })
  const session = opened({ ended: (state, unread) => ({ state, send: unread.toString() }) })
  session.receive(Buffer.from('a\nhalf'))
  expect(session.ended()).toMatchObject({ send: 'half', close: 'end' })
  expect([session.ended(), session.receive(Buffer.from('b\n'))]).toEqual([undefined, []])
})

test('frames behind one that took long are answered in a later turn, and each is answered once', () => {
  let linesOfTurn = 0
  const isTurnOver = (): boolean => (linesOfTurn += 1) % 2 === 0
  const session = sessionRunner(lines)(testContext({ isTurnOver }))
  session.open()
  expect(sent(session.receive(Buffer.from('a\nb\nc\nd\ne\n')))).toBe('a\nb\n')
  expect(session.hasMore).toBe(true)
  expect(session.receive(Buffer.from('f\n'))).toEqual([])
  expect(sent([...session.resume(), ...session.resume(), ...session.resume()])).toBe('c\nd\ne\nf\n')
  expect(session.hasMore).toBe(false)
})

test('frames after a delayed reply wait for resume', () => {
  const session = opened()
  const replies = session.receive(Buffer.from('a\nslow\nb\nc\n'))
  expect(sent(replies)).toBe('a\nslow\n')
  expect(session.hasMore).toBe(true)
  expect(session.receive(Buffer.from('d\n'))).toEqual([])
  expect(sent(session.resume())).toBe('b\nc\nd\n')
  expect(session.hasMore).toBe(false)
})

test('frames after a reply that writes again later wait for resume', () => {
  const furtherWrites = [{ send: '!', isLater: true }]
  const session = opened({ step: (state, send) => ({ state, send, furtherWrites }) })
  expect(session.receive(Buffer.from('a\nb\n'))).toEqual([{ state: 0, send: 'a', furtherWrites }])
  expect(session.receive(Buffer.from('c\n'))).toEqual([])
  expect([session.resume(), session.resume()].map(sent)).toEqual(['b', 'c'])
})

test('frames wait for a reply that is computed, and a computation that fails resets', async () => {
  const session = opened()
  const replies = session.receive(Buffer.from('a\nlater\nb\nfail\nc\n'))
  expect(sent(replies)).toBe('a\n')
  expect(session.receive(Buffer.from('d\n'))).toEqual([])
  expect(await replies.at(-1)!.later!()).toMatchObject({
    send: 'later\n',
    events: [{ fields: { LINE: 'later' } }],
  })
  const next = session.resume()
  expect(sent(next)).toBe('b\n')
  expect(await next.at(-1)!.later!()).toEqual({
    close: 'reset',
    error: new Error('a computation that fails'),
  })
  expect([session.hasMore, session.resume()]).toEqual([false, []])
})

test('frames behind a step that holds wait until another step releases them, within the limit of a frame', () => {
  const held = (): ReturnType<typeof opened> =>
    opened({
      limits: { frameBytes: 20, idleMs: 1_000 },
      step: (state, frame) => ({
        state,
        send: `${String(frame)}\n`,
        ...(frame === 'hold' && { holds: true }),
      }),
      wake: (state) => ({ state, send: 'woken\n', holds: false }),
    })
  const session = held()
  expect(sent(session.receive(Buffer.from('a\nhold\nb\n')))).toBe('a\nhold\n')
  expect(session.hasMore).toBe(false)
  expect(session.receive(Buffer.from('c\n'))).toEqual([])
  expect(session.wake()).toMatchObject({ send: 'woken\n' })
  expect(session.hasMore).toBe(true)
  expect(sent(session.resume())).toBe('b\nc\n')
  const full = held()
  full.receive(Buffer.from('hold\n'))
  expect(full.receive(Buffer.alloc(21, 'x'))).toMatchObject([{ close: 'reset' }])
})

test('nothing is answered after a closing reply', () => {
  const session = opened()
  expect(sent(session.receive(Buffer.from('bye\na\n')))).toBe('bye\n')
  expect(session.receive(Buffer.from('b\n'))).toEqual([])
  expect(session.resume()).toEqual([])
})

test('a throwing step keeps the replies before it and resets', () => {
  const session = opened()
  const replies = session.receive(Buffer.from('a\nthrow\nb\n'))
  expect(sent(replies)).toBe('a\n')
  expect(replies.at(-1)).toMatchObject({ close: 'reset', error: new Error('a session that throws') })
})

test('more bytes than a frame may have reset the connection, or call overflow', () => {
  expect(opened().receive(Buffer.alloc(1_001, 97))).toMatchObject([{ close: 'reset' }])
  const withOverflow = opened({ overflow: (state) => ({ state, send: 'too long\n' }) })
  expect(sent(withOverflow.receive(Buffer.alloc(1_001, 97)))).toBe('too long\n')
  expect(sent(withOverflow.receive(Buffer.from('a\n')))).toBe('a\n')
})

test('big answers come in bounded portions', () => {
  const session = opened()
  let replies = session.receive(Buffer.from('big\n'.repeat(20)))
  let rounds = 1
  let count = replies.length
  while (session.hasMore) {
    replies = session.resume()
    count += replies.length
    rounds += 1
  }
  expect(count).toBe(20)
  expect(rounds).toBeGreaterThan(5)
})

test('a codec that says how much is missing is not called before', () => {
  let calls = 0
  const session = opened({
    decode(bytes) {
      calls += 1
      return bytes.length < 900 ? { atLeast: 900 } : { frame: 'whole', length: 900 }
    },
  })
  const replies = []
  for (let i = 0; i < 900; i += 1) replies.push(...session.receive(Buffer.from('x')))
  expect(sent(replies)).toBe('whole\n')
  expect(calls).toBe(2)
})

test('what comes while the answer to a wake is delayed or computed is answered behind it', async () => {
  for (const awake of [
    { state: 0, send: 'awake\n', delayMs: 5 },
    { state: 0, later: () => Promise.resolve({ state: 0, send: 'awake\n' }) },
  ]) {
    const session = sessionRunner({ ...lines, wake: () => awake })(testContext())
    session.open()
    const reply = session.wake()
    await reply?.later?.()
    expect(session.receive(Buffer.from('one\n'))).toEqual([])
    expect(session.hasMore).toBe(true)
    expect(session.resume().map(({ send }) => send)).toEqual(['one\n'])
  }
})
