import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lines } from '../test/line-service.ts'
import { someContext } from '../test/world.ts'
import { session } from './converse.ts'

const opened = (over: Partial<typeof lines> = {}) => {
  const conversation = session({ ...lines, ...over })(someContext())
  conversation.open()
  return conversation
}
const sent = (replies: readonly { send?: string | Buffer }[]) =>
  replies.map(({ send }) => String(send ?? '')).join('')

test('bytes mean the same however they are cut into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ maxLength: 30 }).map((s) => s.replaceAll('\n', ''))),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (texts, cuts) => {
        const words = texts.filter((text) => !['throw', 'bye', 'reset', 'slow', 'big'].includes(text))
        const bytes = Buffer.from(words.map((word) => `${word}\n`).join(''))
        const whole = sent(opened().receive(bytes))
        const conversation = opened()
        let pieces = ''
        for (let at = 0; at < bytes.length;) {
          const size = cuts.next().value as number
          pieces += sent(conversation.receive(bytes.subarray(at, at + size)))
          at += size
        }
        expect(pieces).toBe(whole)
        expect(whole).toBe(bytes.toString())
      },
    ),
  )
})

test('a delayed reply holds every later frame back until resume', () => {
  const conversation = opened()
  const replies = conversation.receive(Buffer.from('a\nslow\nb\nc\n'))
  expect(sent(replies)).toBe('a\nslow\n')
  expect(conversation.hasMore).toBe(true)
  expect(conversation.receive(Buffer.from('d\n'))).toEqual([])
  expect(sent(conversation.resume())).toBe('b\nc\nd\n')
  expect(conversation.hasMore).toBe(false)
})

test('nothing is answered after a closing reply', () => {
  const conversation = opened()
  expect(sent(conversation.receive(Buffer.from('bye\na\n')))).toBe('bye\n')
  expect(conversation.receive(Buffer.from('b\n'))).toEqual([])
  expect(conversation.resume()).toEqual([])
})

test('a throwing step keeps the replies before it and resets', () => {
  const conversation = opened()
  const replies = conversation.receive(Buffer.from('a\nthrow\nb\n'))
  expect(sent(replies)).toBe('a\n')
  expect(replies.at(-1)).toMatchObject({ close: 'reset', thrown: new Error('a session that throws') })
})

test('more bytes than a frame may have reset the connection, or ask overflow', () => {
  expect(opened().receive(Buffer.alloc(1_001, 97))).toMatchObject([{ close: 'reset' }])
  const polite = opened({ overflow: (state) => ({ state, send: 'too long\n' }) })
  expect(sent(polite.receive(Buffer.alloc(1_001, 97)))).toBe('too long\n')
  expect(sent(polite.receive(Buffer.from('a\n')))).toBe('a\n')
})

test('big answers come in portions', () => {
  const conversation = opened()
  let replies = conversation.receive(Buffer.from('big\n'.repeat(20)))
  let rounds = 1
  let count = replies.length
  while (conversation.hasMore) {
    replies = conversation.resume()
    count += replies.length
    rounds += 1
  }
  expect(count).toBe(20)
  expect(rounds).toBeGreaterThan(5)
})

test('a codec that knows how much is missing is not asked before', () => {
  let asked = 0
  const conversation = opened({
    decode(bytes) {
      asked += 1
      return bytes.length < 900 ? { atLeast: 900 } : { frame: 'whole', length: 900 }
    },
  })
  const replies = []
  for (let i = 0; i < 900; i += 1) replies.push(...conversation.receive(Buffer.from('x')))
  expect(sent(replies)).toBe('whole\n')
  expect(asked).toBe(2)
})
