// The delivery queue of one receiver. It drives two state machines: messages that go out in their order, and messages
// that keep their own schedule. No other receiver waits for it.
import type { WorkerLoop } from '@rookery/kernel/worker-loop.ts'
import { task } from '../../background/task.ts'
import { loadInOrder, loadScheduled, type QueuedRow } from '../../stores/deliveries/queue.store.ts'
import { findReceiver } from '../../stores/webhooks/store.ts'
import { receiverKinds } from '../receivers.gen.ts'
import { openActions, type Load } from './actions.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import { openEffects } from './effects.ts'
import type { Input, Step } from './machine.ts'
import { openedQueue, reopened, step, type QueueState } from './ordered-messages.ts'
import type { QueueDeps } from './queue-deps.ts'
import { ALERTS_PER_MINUTE } from './rate-limit.ts'
import { onSchedule, stepScheduled, type ScheduleState } from './scheduled-messages.ts'

export interface DeliveryQueue {
  /** New messages wait; `scheduled`: some of them keep their own schedule. */
  wake(which: { scheduled: boolean }): void
  /** The receiver has just been seen to work: try again at once. */
  recovered(): void
  idle(): Promise<void>
  /** Starts no further try; resolves once the present ones have ended. */
  stop(): Promise<void>
}

interface Machine<S> {
  readonly open: () => Promise<S>
  readonly step: (state: S, input: Input<QueuedRow>, now: number) => Step<S, QueuedRow>
  /** The state after something unforeseen. */
  readonly reopened: (state: S) => S
  readonly load: Load
}

interface Driven extends WorkerLoop {
  readonly recovered: () => void
}

const RETRY_MS = 1_000
const TASK = task('deliveries', undefined, 'Sends what waits for a receiver: two loops for each', {
  runsLong: true,
})

/** `onNotice`: messages for other receivers were committed. */
export function openDeliveryQueue(
  webhookId: string,
  deps: QueueDeps,
  recorder: DeliveryRecorder,
  onNotice: () => void,
): DeliveryQueue {
  const { clock } = deps.world
  const apply = openEffects(webhookId, deps, recorder, onNotice)
  const perform = openActions(webhookId, deps, recorder)
  let isStopped = false

  /** Runs a state machine until it sleeps. */
  function drive<S>(machine: Machine<S>, other: () => Driven): Driven {
    let state: S | undefined
    let isRecovered = false

    async function run(): Promise<number | undefined> {
      let input: Input<QueuedRow> = { type: isRecovered ? 'recovered' : 'woken' }
      isRecovered = false
      while (!isStopped || input.type === 'sent') {
        const taken = machine.step((state ??= await machine.open()), input, clock.now())
        for (const effect of taken.effects) await apply(effect, other())
        // Only now: a message whose result could not be recorded is sent again.
        state = taken.state
        if (taken.action.type === 'sleep') return taken.action.until
        if (isStopped) return undefined
        input = await perform(taken.action, machine.load)
      }
      return undefined
    }
    function onError(error: unknown): number {
      if (!isStopped)
        deps.log.error({ err: error, webhook: webhookId }, 'delivery queue failed; retrying in 1 s')
      state &&= machine.reopened(state)
      return RETRY_MS
    }
    const loop = deps.background.loop(TASK, { clock, run, onError })
    return {
      ...loop,
      recovered() {
        isRecovered = true
        loop.wake()
      },
    }
  }

  const ordered: Driven = drive(orderedMachine(webhookId, deps), () => scheduled)
  const scheduled: Driven = drive(scheduledMachine, () => ordered)

  return {
    wake(which) {
      ordered.wake()
      if (which.scheduled) scheduled.wake()
    },
    recovered() {
      ordered.recovered()
      scheduled.recovered()
    },
    async idle() {
      await ordered.idle()
      await scheduled.idle()
      // A scheduled message that passes wakes the ordered ones.
      await ordered.idle()
    },
    async stop() {
      isStopped = true
      await Promise.all([ordered.stop(), scheduled.stop()])
    },
  }
}

const orderedMachine = (
  webhookId: string,
  { reader, perMinute }: QueueDeps,
): Machine<QueueState<QueuedRow>> => ({
  async open() {
    const row = await findReceiver(reader, webhookId)
    const isUnlimited = row !== undefined && receiverKinds[row.kind]?.descriptor.isUnlimited === true
    return openedQueue(row?.failing_since ?? null, isUnlimited ? Infinity : perMinute)
  },
  step(state, input, now) {
    const taken = step(state, input, now)
    if (taken.state.name === 'rate-limited' && state.name !== 'rate-limited') ALERTS_PER_MINUTE.hit()
    return taken
  },
  reopened,
  load: loadInOrder,
})

const scheduledMachine: Machine<ScheduleState> = {
  open: () => Promise.resolve(onSchedule),
  step: stepScheduled,
  reopened: () => onSchedule,
  load: (db, webhookId, _after, max) => loadScheduled(db, webhookId, max),
}
