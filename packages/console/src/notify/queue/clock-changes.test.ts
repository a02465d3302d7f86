// What a console that was asleep, or whose clock was set, does with its messages: no database, no clock but a number.
import { describe, expect, it } from 'vitest'
import type { SendResult } from '../senders/sender.ts'
import type { QueuedMessage } from './machine.ts'
import { openedQueue, step, type QueueState } from './ordered-messages.ts'
import { onSchedule, stepScheduled } from './scheduled-messages.ts'

const S = 1_000
const H = 3_600 * S
const DAY = 24 * H
const NOW = 1_000 * DAY

const message = (over: Partial<QueuedMessage> = {}): QueuedMessage => ({
  delivery_id: 1,
  attempts: 0,
  reduced: 0,
  partly_sent: 0,
  next_at: NOW,
  created_at: NOW,
  ...over,
})
const refused: SendResult = {
  delivered: false,
  status: 0,
  reason: 'The network cannot be reached.',
  gone: false,
  retryAfterMs: 0,
}
const passed: SendResult = { ...refused, delivered: true, status: 200, reason: '' }

/** A queue that was opened with this message waiting, after one try of it. */
function tried(
  waiting: QueuedMessage,
  { now, failingSince = null, result = refused, perMinute = 60 }: TriedOptions,
): ReturnType<typeof step<QueuedMessage>> {
  const opened: QueueState<QueuedMessage> = openedQueue(failingSince, perMinute)
  const { state, action } = step(opened, { type: 'loaded', messages: [waiting] }, now)
  expect(action).toEqual({ type: 'send', message: waiting })
  return step(state, { type: 'sent', message: waiting, result, jitter: 0 }, now)
}

interface TriedOptions {
  readonly now: number
  readonly failingSince?: number | null
  readonly result?: SendResult
  readonly perMinute?: number
}

describe('a console that was off for a week', () => {
  const failedBefore = message({ attempts: 1, next_at: NOW + 5 * S })
  const back = NOW + 7 * DAY

  it('gives a receiver that had failed once five days from then on', () => {
    const { state, effects } = tried(failedBefore, { now: back, failingSince: NOW })
    expect(effects).not.toContainEqual(expect.objectContaining({ type: 'switch-off' }))
    expect(effects).toContainEqual({ type: 'mark-failing', since: back - 5 * S })
    expect(state.name).toBe('backing-off')
    const [later, end] = [back + 4 * DAY, back + 5 * DAY]
    const head = message({ attempts: 9, next_at: later })
    const alive = tried(head, { now: later, failingSince: state.failingSince })
    expect(alive.effects).not.toContainEqual(expect.objectContaining({ type: 'switch-off' }))
    const last = tried(message({ attempts: 10, next_at: end }), {
      now: end,
      failingSince: state.failingSince,
    })
    expect(last.effects).toContainEqual(expect.objectContaining({ type: 'switch-off' }))
  })

  it('does not give up a message that keeps its own schedule after a single try', () => {
    const taken = stepScheduled(
      onSchedule,
      { type: 'sent', message: failedBefore, result: refused, jitter: 0 },
      back,
    )
    expect(taken.effects[0]).toMatchObject({ type: 'record', state: 'waiting' })
  })
})

describe('a clock that was set back', () => {
  it('holds no message that was to be tried again by the wrong time', () => {
    const wrong = message({ attempts: 1, next_at: NOW + 400 * DAY })
    const { action } = step(openedQueue<QueuedMessage>(null, 60), { type: 'loaded', messages: [wrong] }, NOW)
    expect(action).toEqual({ type: 'send', message: wrong })
    const scheduled = stepScheduled(onSchedule, { type: 'loaded', messages: [wrong] }, NOW)
    expect(scheduled.action).toEqual({ type: 'send', message: wrong })
  })

  it('also where the queue waits for that time already', () => {
    const { state, action } = tried(message(), { now: NOW + 400 * DAY })
    expect(action).toMatchObject({ type: 'sleep', until: NOW + 400 * DAY + 5 * S })
    expect(step(state, { type: 'woken' }, NOW).action).toMatchObject({ type: 'send' })
  })

  it('ends the minute that a receiver has filled', () => {
    const { state } = tried(message(), { now: NOW, result: passed, perMinute: 1 })
    const full = step(state, { type: 'loaded', messages: [message({ delivery_id: 2 })] }, NOW)
    expect(full.state.name).toBe('rate-limited')
    expect(step(full.state, { type: 'woken' }, NOW - 2 * H).action).toEqual({ type: 'fold', after: 1 })
  })
})
