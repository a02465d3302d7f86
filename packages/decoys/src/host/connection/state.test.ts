import { expect, test } from 'vitest'
import { newConnectionState, nextAction, onIdleTimer, planSend } from './state.ts'

const state = (over: Partial<ReturnType<typeof newConnectionState>> = {}) => ({
  ...newConnectionState(0),
  ...over,
})

test('a connection reads on, answers what waits first, and closes after a peer that has closed', () => {
  expect(nextAction(state(), false)).toBe('read')
  expect(nextAction(state({ isPeerDone: true }), true)).toBe('resume')
  expect(nextAction(state({ isPeerDone: true }), false)).toBe('close')
})

test.each([{ isBlocked: true }, { isDelayed: true }, { isClosing: true }])(
  'a connection that is %j waits, whatever else is due',
  (over) => {
    expect(nextAction(state({ isPeerDone: true, ...over }), true)).toBe('wait')
  },
)

test('the idle timer waits for the rest of the silence, then tells the session', () => {
  expect(onIdleTimer(state({ lastActivityAt: 40 }), 100, 120)).toEqual({ waitMs: 20 })
  expect(onIdleTimer(state({ lastActivityAt: 40 }), 100, 140)).toBe('idle')
})

test('a delayed answer is no silence, and a client that does not read gets no last words', () => {
  expect(onIdleTimer(state({ isDelayed: true }), 100, 100)).toEqual({ waitMs: 1_000 })
  expect(onIdleTimer(state({ isBlocked: true }), 100, 100)).toBe('reset')
  expect(onIdleTimer(state({ isClosing: true }), 100, 100)).toBe('closing')
})

test('texts of several replies go out in one write, in order with bytes between them', () => {
  const bytes = Buffer.from([255])
  expect(planSend([{ send: 'a' }, {}, { send: 'b' }, { send: bytes }, { send: 'c' }, { send: '' }])).toEqual({
    writes: ['ab', bytes, 'c'],
  })
})

test('further writes of a reply go out one by one, a later one with what else the reply does in the next turn', () => {
  const [b, c, d] = ['b', 'c', 'd'].map((send, at) => ({ send, isLater: at === 1 }))
  const first = planSend([{ send: 'x' }, { send: 'a', furtherWrites: [b!, c!, d!], close: 'end' }])
  expect(first).toEqual({ writes: ['xa', 'b'], delayed: { send: 'c', furtherWrites: [d], close: 'end' } })
  expect(planSend([first.delayed!])).toEqual({ writes: ['c', 'd'], close: 'end' })
})

test('what follows a close or a delayed reply is not sent', () => {
  expect(planSend([{ send: 'a', close: 'end' }, { send: 'b' }])).toEqual({ writes: ['a'], close: 'end' })
  const delayed = { send: 'b', delayMs: 5 }
  expect(planSend([{ send: 'a' }, delayed, { send: 'c' }])).toEqual({ writes: ['a'], delayed })
})
