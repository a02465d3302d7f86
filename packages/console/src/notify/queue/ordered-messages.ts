// The messages of one receiver that go out in their order, as a state machine. Pure; README.md draws it.
import {
  GONE_REASON,
  type Effect,
  type Input,
  type QueuedMessage,
  type RecordedState,
  type Step,
} from './machine.ts'
import { counted, opensAt, unused, type RateLimit } from './rate-limit.ts'
import { dueAt, failingFor, HEAD_ATTEMPTS, PATIENCE_MS, retryDelay } from './retry-policy.ts'
import type { SendResult } from '../senders/sender.ts'

interface Common {
  /** The last message that is done with. */
  readonly after: number
  /** The last try passed: then no message waits for its schedule. */
  readonly isHealthy: boolean
  /** Since when every message has failed; null while they pass. */
  readonly failingSince: number | null
  readonly rate: RateLimit
}

type SendingState<M> = Common & { readonly name: 'sending'; readonly page: readonly M[] }
type BackingOffState<M> = Common & {
  readonly name: 'backing-off'
  readonly head: M
  readonly retryAt: number
}
type TryingNextState<M> = Common & {
  readonly name: 'trying-next'
  readonly head: M
  readonly headResult: SendResult
}

export type QueueState<M> =
  | SendingState<M>
  /** The first message failed: all wait for its next try. */
  | BackingOffState<M>
  /** The first message failed three times: does the next one pass? */
  | TryingNextState<M>
  /** The minute is full: what waits at its end becomes a digest. */
  | (Common & { readonly name: 'rate-limited'; readonly until: number })
  /** The receiver takes no messages. */
  | (Common & { readonly name: 'disabled'; readonly reason: string })

const PAGE = 200
/** How far behind a failing head messages are tried in turn. */
const REACH = 50

type QueueStep<M> = Step<QueueState<M>, M>

export const openedQueue = <M>(failingSince: number | null, perMinute: number): QueueState<M> => ({
  name: 'sending',
  page: [],
  after: 0,
  isHealthy: false,
  failingSince,
  rate: unused(perMinute),
})

/** The state after something unforeseen: what is in memory is loaded again. */
export const reopened = <M>(state: QueueState<M>): QueueState<M> => ({
  ...common(state),
  name: 'sending',
  page: [],
  isHealthy: false,
})

const common = <M>({ after, isHealthy, failingSince, rate }: QueueState<M>): Common => ({
  after,
  isHealthy,
  failingSince,
  rate,
})

export function step<M extends QueuedMessage>(
  state: QueueState<M>,
  input: Input<M>,
  now: number,
): QueueStep<M> {
  switch (input.type) {
    case 'woken':
      return wake(state, now)
    case 'recovered':
      return recover(state, now)
    case 'loaded':
      if (state.name === 'trying-next') return tryLeastTried(state, input.messages, now)
      return sendFirst({ ...common(state), name: 'sending', page: input.messages }, now)
    case 'sent':
      return state.name === 'trying-next' ? nextSent(state, input, now) : headSent(state, input, now)
    case 'folded':
      return sendOn({ ...common(state), name: 'sending', page: [] }, now)
    case 'refused': {
      const forget: Effect<M>[] = state.failingSince === null ? [] : [{ type: 'mark-failing', since: null }]
      return disable(state, input.reason, [...forget, { type: 'drop-waiting', reason: input.reason }])
    }
  }
}

function wake<M extends QueuedMessage>(state: QueueState<M>, now: number): QueueStep<M> {
  switch (state.name) {
    case 'sending':
      return sendOn(state, now)
    case 'backing-off':
      return retryHead(state, now)
    case 'rate-limited': {
      const until = opensAt(state.rate, now)
      if (until > now) return sleep({ ...state, until }, [], until)
      return { state, effects: [{ type: 'settle' }], action: { type: 'fold', after: state.after } }
    }
    case 'trying-next':
    case 'disabled':
      return wake(reopened(state), now)
  }
}

function recover<M extends QueuedMessage>(state: QueueState<M>, now: number): QueueStep<M> {
  const known: QueueState<M> =
    state.name === 'backing-off'
      ? { ...state, failingSince: null, retryAt: now, isHealthy: true }
      : { ...state, failingSince: null }
  const taken = wake(known, now)
  if (state.failingSince === null) return taken
  return { ...taken, effects: [{ type: 'mark-failing', since: null }, ...taken.effects] }
}

function sendOn<M extends QueuedMessage>(
  state: SendingState<M>,
  now: number,
  effects: Effect<M>[] = [],
): QueueStep<M> {
  if (state.page.length === 0)
    return { state, effects, action: { type: 'load', after: state.after, max: PAGE } }
  return sendFirst(state, now, effects)
}

function sendFirst<M extends QueuedMessage>(
  state: SendingState<M>,
  now: number,
  effects: Effect<M>[] = [],
): QueueStep<M> {
  const [first, ...page] = state.page
  if (!first) return sleep(state, effects)
  const until = opensAt(state.rate, now)
  if (until > now) return sleep({ ...common(state), name: 'rate-limited', until }, effects, until)
  if (!state.isHealthy && first.attempts > 0 && dueAt(first.next_at, now) > now)
    return backOff(state, first, effects, now)
  return {
    state: { ...state, page, rate: counted(state.rate, now) },
    effects,
    action: { type: 'send', message: first },
  }
}

const backOff = <M extends QueuedMessage>(
  state: QueueState<M>,
  head: M,
  effects: Effect<M>[],
  now: number,
): QueueStep<M> =>
  retryHead({ ...common(state), name: 'backing-off', head, retryAt: head.next_at }, now, effects)

function retryHead<M extends QueuedMessage>(
  state: BackingOffState<M>,
  now: number,
  effects: Effect<M>[] = [],
): QueueStep<M> {
  const at = Math.max(dueAt(state.retryAt, now), opensAt(state.rate, now))
  if (at > now) return sleep({ ...state, retryAt: at }, effects, at)
  const sending: SendingState<M> = {
    ...common(state),
    name: 'sending',
    page: [],
    rate: counted(state.rate, now),
  }
  return { state: sending, effects, action: { type: 'send', message: state.head } }
}

type Sent<M> = Extract<Input<M>, { type: 'sent' }>

function headSent<M extends QueuedMessage>(
  state: QueueState<M>,
  { message, result, jitter }: Sent<M>,
  now: number,
): QueueStep<M> {
  const page = state.name === 'sending' ? state.page : []
  if (result.delivered || result.isPartial) {
    const sending: SendingState<M> = {
      ...passed(state),
      name: 'sending',
      page,
      after: message.delivery_id,
    }
    return sendOn(sending, now, [
      ...takenEffects(state, { type: 'sent', message, result, jitter }, now),
      ...(state.isHealthy || result.isPartial ? [] : [{ type: 'report-recovered' } as const]),
    ])
  }
  const head = triedAgainLater(message, result, jitter, now)
  const effects: Effect<M>[] = [{ type: 'record', message: head, state: 'waiting', result }]
  const failingSince = failingFor(state.failingSince, message.next_at, now)
  const failing: QueueState<M> = { ...state, isHealthy: false, failingSince }
  if (result.gone) return switchOff(failing, GONE_REASON, effects)
  if (state.failingSince !== failingSince) effects.push({ type: 'mark-failing', since: failingSince })
  if (now - failingSince >= PATIENCE_MS)
    return switchOff(failing, `Every message failed for 5 days; the last time: ${result.reason}`, effects)
  if (head.attempts < HEAD_ATTEMPTS || result.retryAfterMs > 0) return backOff(failing, head, effects, now)
  return {
    state: { ...common(failing), name: 'trying-next', head, headResult: result },
    effects: [...effects, { type: 'settle' }],
    action: { type: 'load', after: head.delivery_id, max: REACH },
  }
}

function tryLeastTried<M extends QueuedMessage>(
  state: TryingNextState<M>,
  messages: readonly M[],
  now: number,
): QueueStep<M> {
  const [next] = messages.toSorted((a, b) => a.attempts - b.attempts || a.delivery_id - b.delivery_id)
  if (!next) return backOff(state, state.head, [], now)
  return {
    state: { ...state, rate: counted(state.rate, now) },
    effects: [],
    action: { type: 'send', message: next },
  }
}

/** The message behind the head was tried: if it passed, the head alone is at fault and from now on keeps its own schedule. */
function nextSent<M extends QueuedMessage>(
  state: TryingNextState<M>,
  { message, result, jitter }: Sent<M>,
  now: number,
): QueueStep<M> {
  const { head, headResult } = state
  if (!result.delivered && !result.isPartial) {
    const next = triedAgainLater(message, result, jitter, now)
    const effects: Effect<M>[] = [{ type: 'record', message: next, state: 'waiting', result }]
    return result.gone ? switchOff(state, GONE_REASON, effects) : backOff(state, head, effects, now)
  }
  const reduced: M = { ...head, reduced: 1, next_at: now }
  return sendOn({ ...passed(state), name: 'sending', page: [], after: head.delivery_id }, now, [
    ...takenEffects(state, { type: 'sent', message, result, jitter }, now),
    { type: 'record', message: reduced, state: 'waiting', result: headResult },
    // The next page must not hold the message that has just passed.
    { type: 'settle' },
    { type: 'report-recovered' },
  ])
}

const passed = <M>(state: QueueState<M>): Common => ({
  ...common(state),
  isHealthy: true,
  failingSince: null,
})

/** What follows from a message that its receiver took, or one of several recipients. */
const takenEffects = <M extends QueuedMessage>(
  { failingSince }: QueueState<M>,
  { message, result, jitter }: Sent<M>,
  now: number,
): Effect<M>[] => [
  ...(result.delivered
    ? [recorded({ ...message, attempts: message.attempts + 1 }, 'delivered', result)]
    : [
        recorded({ ...triedAgainLater(message, result, jitter, now), partly_sent: 1 }, 'waiting', result),
        { type: 'settle' } as const,
        { type: 'wake-other' } as const,
      ]),
  ...(failingSince === null ? [] : [{ type: 'mark-failing', since: null } as const]),
]

const recorded = <M>(message: M, state: RecordedState, result: SendResult): Effect<M> => ({
  type: 'record',
  message,
  state,
  result,
})

export function triedAgainLater<M extends QueuedMessage>(
  message: M,
  { retryAfterMs }: SendResult,
  jitter: number,
  now: number,
): M {
  const attempts = message.attempts + 1
  return { ...message, attempts, next_at: now + retryDelay(attempts, jitter, retryAfterMs) }
}

const switchOff = <M>(state: QueueState<M>, reason: string, effects: Effect<M>[]): QueueStep<M> =>
  disable(state, reason, [...effects, { type: 'switch-off', reason }])

const disable = <M>(state: QueueState<M>, reason: string, effects: Effect<M>[]): QueueStep<M> =>
  sleep({ ...common(state), name: 'disabled', reason, isHealthy: false, failingSince: null }, effects)

const sleep = <M>(state: QueueState<M>, effects: Effect<M>[], until?: number): QueueStep<M> => ({
  state,
  effects,
  action: { type: 'sleep', ...(until !== undefined && { until }) },
})
