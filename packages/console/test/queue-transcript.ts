// Plays a delivery queue without a console: an outbox in memory, a receiver that is a function, a clock that jumps from
// one thing to the next. Answers what happened, a line each.
import type { Action, Effect, Input, QueuedMessage, Step } from '../src/notify/queue/machine.ts'
import { openedQueue, step, type QueueState } from '../src/notify/queue/ordered-messages.ts'
import { onSchedule, stepScheduled, type ScheduleState } from '../src/notify/queue/scheduled-messages.ts'
import type { SendResult } from '../src/notify/senders/sender.ts'

export interface TestMessage extends QueuedMessage {
  readonly state: 'waiting' | 'delivered' | 'failed' | 'dropped' | 'folded'
  /** An incident can be folded; a backlog keeps its own schedule from the beginning. */
  readonly subject: 'incident' | 'digest' | 'backlog'
}

export interface Play {
  /** Messages by the second at which they are committed. */
  readonly messages: readonly {
    readonly atS: number
    readonly count?: number
    readonly subject?: 'backlog'
  }[]
  /** What the receiver answers: a status, or one with `Retry-After` in seconds. */
  readonly answer: (
    message: TestMessage,
    atS: number,
  ) => number | { readonly status: number; readonly retryAfterS: number }
  readonly untilS: number
  readonly perMinute?: number
  /** Seconds at which a test of the receiver passes. */
  readonly testedAtS?: readonly number[]
  /** Whether the receiver takes messages at all; default: always. */
  readonly isOn?: (atS: number) => boolean
}

export interface Transcript {
  readonly lines: readonly string[]
  readonly outbox: readonly TestMessage[]
}

export function play(plan: Play): Transcript {
  const lines: string[] = []
  const time = { now: 0 }
  const say = (text: string): unknown => lines.push(`${clockText(time.now)} ${text}`)
  const outbox = memoryOutbox(time, say)
  const perform = performing(plan, outbox, time, say)

  const ordered: Machine = machine<QueueState<TestMessage>>(
    { opened: openedQueue(null, plan.perMinute ?? 60), step, say },
    {
      time,
      apply: (effect) => outbox.apply(effect, scheduled),
      perform: (action) => perform('ordered', action),
    },
  )
  const scheduled: Machine = machine<ScheduleState>(
    { opened: onSchedule, step: stepScheduled, say: () => undefined },
    {
      time,
      apply: (effect) => outbox.apply(effect, ordered),
      perform: (action) => perform('scheduled', action),
    },
  )
  const machines = [ordered, scheduled]

  let outside = eventsOf(plan, outbox, say)
  for (;;) {
    const at = Math.min(outside[0]?.at ?? Infinity, ...machines.map((it) => it.at()))
    if (at > plan.untilS * 1_000) return { lines, outbox: outbox.rows() }
    time.now = Math.max(time.now, at)
    for (const { happen, signal } of outside.filter((it) => it.at <= time.now)) {
      happen()
      for (const it of machines) it.wakeAt(time.now, signal)
    }
    outside = outside.filter((it) => it.at > time.now)
    for (const it of machines) if (it.at() <= time.now) it.run()
  }
}

interface Time {
  now: number
}
type Say = (text: string) => void
type Which = 'ordered' | 'scheduled'

interface Machine {
  readonly at: () => number
  readonly wakeAt: (at: number, signal?: 'recovered') => void
  readonly run: () => void
}

interface TestEvent {
  readonly at: number
  readonly happen: () => void
  readonly signal?: 'recovered'
}

/** What comes from outside, by its time. */
function eventsOf({ messages, testedAtS = [] }: Play, outbox: Outbox, say: Say): TestEvent[] {
  const arrivals = messages.flatMap(({ atS, count = 1, subject = 'incident' as const }) =>
    Array.from({ length: count }, () => ({ at: atS * 1_000, happen: () => outbox.add(subject) })),
  )
  const tests = testedAtS.map((atS) => ({
    at: atS * 1_000,
    happen: () => say('a test passes'),
    signal: 'recovered' as const,
  }))
  return [...arrivals, ...tests].sort((a, b) => a.at - b.at)
}

type Outbox = ReturnType<typeof memoryOutbox>

function memoryOutbox(time: Time, say: Say) {
  let rows: readonly TestMessage[] = []
  let isOff = false

  const change = (which: (row: TestMessage) => boolean, changes: Partial<TestMessage>): void => {
    rows = rows.map((row) => (row.state === 'waiting' && which(row) ? { ...row, ...changes } : row))
  }
  const isScheduled = ({ reduced, partly_sent, subject }: TestMessage): boolean =>
    reduced === 1 || partly_sent === 1 || subject === 'backlog'

  return {
    rows: () => rows,
    isOff: () => isOff,
    add(subject: TestMessage['subject']): void {
      const next_at = time.now + (subject === 'backlog' ? 5_000 : 0)
      const row = {
        delivery_id: rows.length + 1,
        attempts: 0,
        reduced: 0,
        partly_sent: 0,
        next_at,
        created_at: time.now,
      }
      rows = [...rows, { ...row, state: 'waiting', subject }]
    },
    load(which: Which, after: number, max: number): readonly TestMessage[] {
      const waiting = rows.filter((it) => it.state === 'waiting')
      if (which === 'ordered')
        return waiting.filter((it) => !isScheduled(it) && it.delivery_id > after).slice(0, max)
      const due = (a: TestMessage, b: TestMessage): number =>
        a.next_at - b.next_at || a.delivery_id - b.delivery_id
      return waiting.filter(isScheduled).toSorted(due)
    },
    fold(): void {
      const isFolded = (it: TestMessage): boolean => it.subject === 'incident' && it.reduced === 0
      const count = rows.filter((it) => it.state === 'waiting' && isFolded(it)).length
      if (count < 2) return
      say(`fold ${count}`)
      change(isFolded, { state: 'folded' })
      this.add('digest')
    },
    apply(effect: Effect<TestMessage>, other: Machine): void {
      switch (effect.type) {
        case 'record': {
          const { delivery_id, attempts, reduced, partly_sent, next_at } = effect.message
          change((it) => it.delivery_id === delivery_id, {
            attempts,
            reduced,
            partly_sent,
            next_at,
            state: effect.state,
          })
          if (effect.state === 'failed') say(`give up ${delivery_id}`)
          return
        }
        case 'wake-other':
          return other.wakeAt(time.now)
        case 'report-recovered':
          return other.wakeAt(time.now, 'recovered')
        case 'switch-off':
          isOff = true
          say(`switch off: ${effect.reason}`)
          return change(() => true, { state: 'failed' })
        case 'drop-waiting':
          if (rows.some(({ state }) => state === 'waiting')) say(`drop: ${effect.reason}`)
          return change(() => true, { state: 'dropped' })
        case 'settle':
        case 'mark-failing':
          return
      }
    },
  }
}

function performing({ answer, isOn = () => true }: Play, outbox: Outbox, time: Time, say: Say) {
  function send(message: TestMessage): SendResult {
    const answered = answer(message, time.now / 1_000)
    const { status, retryAfterS } =
      typeof answered === 'number' ? { status: answered, retryAfterS: 0 } : answered
    const form = message.reduced === 1 ? ' reduced' : ''
    say(`send ${message.subject === 'digest' ? 'digest ' : ''}${message.delivery_id}${form}: ${status}`)
    return {
      delivered: status >= 200 && status < 300,
      status,
      reason: `It answered ${status}.`,
      gone: status === 410,
      retryAfterMs: retryAfterS * 1_000,
    }
  }

  return (which: Which, action: Action<TestMessage>): Input<TestMessage> => {
    if (outbox.isOff() || !isOn(time.now / 1_000)) return { type: 'refused', reason: 'It is off.' }
    switch (action.type) {
      case 'load':
        return { type: 'loaded', messages: outbox.load(which, action.after, action.max) }
      case 'fold':
        outbox.fold()
        return { type: 'folded' }
      case 'send':
        return { type: 'sent', message: action.message, result: send(action.message), jitter: 0 }
      case 'sleep':
        return { type: 'woken' }
    }
  }
}

interface World {
  readonly time: Time
  readonly apply: (effect: Effect<TestMessage>) => void
  readonly perform: (action: Action<TestMessage>) => Input<TestMessage>
}

interface Definition<S> {
  readonly opened: S
  readonly step: (state: S, input: Input<TestMessage>, now: number) => Step<S, TestMessage>
  readonly say: Say
}

function machine<S extends { readonly name: string }>(
  { opened, step: stepOf, say }: Definition<S>,
  { time, apply, perform }: World,
): Machine {
  let state = opened
  let due = Infinity
  let signal: 'woken' | 'recovered' = 'woken'
  return {
    at: () => due,
    wakeAt(at, recovered) {
      due = Math.min(due, at)
      signal = recovered ?? signal
    },
    run() {
      let input: Input<TestMessage> = { type: signal }
      signal = 'woken'
      due = Infinity
      for (;;) {
        const taken = stepOf(state, input, time.now)
        taken.effects.forEach(apply)
        if (taken.state.name !== state.name) say(taken.state.name)
        state = taken.state
        if (taken.action.type === 'sleep') {
          due = Math.min(due, taken.action.until ?? Infinity)
          return
        }
        input = perform(taken.action)
      }
    },
  }
}

/** `2d 03:00:05` */
function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const two = (n: number): string => String(n).padStart(2, '0')
  const days = Math.floor(seconds / 86_400)
  const time = `${two(Math.floor(seconds / 3_600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return days === 0 ? time : `${days}d ${time}`
}
