// The messages of one receiver that keep their own schedule and delay no other, as a state machine: summaries of a
// backlog, and messages that their receiver refused while it took others. Pure; README.md draws it.
import { GONE_REASON, type Effect, type Input, type QueuedMessage, type Step } from './machine.ts'
import { triedAgainLater } from './ordered-messages.ts'
import { dueAt, isGivenUp } from './retry-policy.ts'

/** `retrying-early`: the receiver has just taken a message, so those that failed before are tried at once. */
export interface ScheduleState {
  readonly name: 'on-schedule' | 'retrying-early'
}

export const onSchedule: ScheduleState = { name: 'on-schedule' }

const PAGE = 200

export function stepScheduled<M extends QueuedMessage>(
  state: ScheduleState,
  input: Input<M>,
  now: number,
): Step<ScheduleState, M> {
  switch (input.type) {
    case 'woken':
    case 'folded':
      return load(state)
    case 'recovered':
      return load({ name: 'retrying-early' })
    case 'loaded': {
      const { messages } = input
      const message = messages.find(
        (it) => dueAt(it.next_at, now) <= now || (isEarly(state) && canRetryEarly(it)),
      )
      if (message) return { state, effects: [], action: { type: 'send', message } }
      const until = messages[0]?.next_at
      return {
        state: onSchedule,
        effects: [],
        action: { type: 'sleep', ...(until !== undefined && { until }) },
      }
    }
    case 'sent':
      return sent(state, input, now)
    case 'refused':
      return {
        state,
        effects: [{ type: 'drop-waiting', reason: input.reason }],
        action: { type: 'sleep' },
      }
  }
}

function sent<M extends QueuedMessage>(
  state: ScheduleState,
  { message, result, jitter }: Extract<Input<M>, { type: 'sent' }>,
  now: number,
): Step<ScheduleState, M> {
  if (result.delivered) {
    const done = { ...message, attempts: message.attempts + 1 }
    return load(state, [
      { type: 'record', message: done, state: 'delivered', result },
      { type: 'report-recovered' },
    ])
  }
  const failed = triedAgainLater(message, result, jitter, now)
  return load(onSchedule, [
    {
      type: 'record',
      message: failed,
      state: isGivenUp(message.created_at, failed.attempts, now) ? 'failed' : 'waiting',
      result,
    },
    ...(result.gone ? [{ type: 'switch-off', reason: GONE_REASON } as const] : []),
  ])
}

const isEarly = ({ name }: ScheduleState): boolean => name === 'retrying-early'

/** The reduced form was refused for its own sake: a success elsewhere says nothing about it. */
const canRetryEarly = ({ reduced, attempts }: QueuedMessage): boolean => reduced === 0 && attempts > 0

const load = <M>(state: ScheduleState, effects: Effect<M>[] = []): Step<ScheduleState, M> => ({
  state,
  effects: [...effects, { type: 'settle' }],
  action: { type: 'load', after: 0, max: PAGE },
})
