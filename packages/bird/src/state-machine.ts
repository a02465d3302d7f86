// Runs a pure state machine: one input at a time, its outputs in order, and a timer for the time that its state waits for.
import type { BirdClock } from './world.ts'

/** What a machine answers to an input. */
export interface Step<State, Output> {
  readonly state: State
  /** Carried out in order, once the state has changed. */
  readonly outputs: readonly Output[]
}

/** The input at the time of `wakeAt`. */
export interface Woken {
  readonly name: 'woken'
}

export interface MachineOptions<State, Input, Output> {
  readonly initial: State
  /** `nowMs` is monotonic: setting the wall clock moves no deadline. */
  readonly step: (state: State, input: Input | Woken, nowMs: number) => Step<State, Output>
  /** When the state wants `woken`, in monotonic milliseconds; undefined: it waits for no time. */
  readonly wakeAt: (state: State) => number | undefined
  readonly perform: (output: Output) => void
  readonly clock: BirdClock
}

export interface Machine<State, Input> {
  state(): State
  /** Steps and carries out the outputs; an error of theirs is thrown here. An input that an output causes is handled after the present one. */
  send(input: Input | Woken): void
  /** Ignores all further inputs. */
  stop(): void
}

export function runMachine<State, Input, Output>(
  options: MachineOptions<State, Input, Output>,
): Machine<State, Input> {
  const { step, wakeAt, perform, clock } = options
  const inputs: (Input | Woken)[] = []
  let state = options.initial
  let isRunning = false
  let isStopped = false
  let cancelTimer = (): void => undefined

  function send(input: Input | Woken): void {
    if (isStopped) return
    inputs.push(input)
    if (isRunning) return
    isRunning = true
    try {
      for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) {
        const { state: following, outputs } = step(state, next, clock.monotonicMs())
        state = following
        outputs.forEach(perform)
      }
    } finally {
      isRunning = false
      setTimer()
    }
  }

  function setTimer(): void {
    cancelTimer()
    const at = isStopped ? undefined : wakeAt(state)
    if (at === undefined) return
    const ms = Math.max(0, Math.ceil(at - clock.monotonicMs()))
    cancelTimer = clock.after(ms, () => send({ name: 'woken' }))
  }

  return {
    state: () => state,
    send,
    stop() {
      isStopped = true
      inputs.length = 0
      cancelTimer()
    },
  }
}
