// Runs a pure state machine through a script of inputs, without a clock: what it puts out, and when.
import type { Step, Woken } from '../src/state-machine.ts'

interface MachineUnderTest<State, Input, Output> {
  readonly initial: State
  readonly step: (state: State, input: Input | Woken, nowMs: number) => Step<State, Output>
  readonly wakeAt: (state: State) => number | undefined
}

export interface TranscriptLine<Output> {
  readonly at: number
  /** The name of the state that was entered. */
  readonly state: string
  readonly outputs: readonly Output[]
}

/**
 * One line for each input, and one for each `woken` that the machine asks for up to the last input's time.
 * Times are milliseconds from the start, rising.
 */
export function transcript<State extends { readonly name: string }, Input, Output>(
  { initial, step, wakeAt }: MachineUnderTest<State, Input, Output>,
  script: readonly (readonly [at: number, input: Input | Woken])[],
): TranscriptLine<Output>[] {
  const lines: TranscriptLine<Output>[] = []
  let state = initial

  function send(at: number, input: Input | Woken): void {
    const { state: following, outputs } = step(state, input, at)
    state = following
    lines.push({ at, state: following.name, outputs })
  }

  let now = 0
  for (const [at, input] of script) {
    for (let due = wakeAt(state); due !== undefined && due < at; due = wakeAt(state)) {
      now = Math.max(now, due)
      send(now, { name: 'woken' })
    }
    now = at
    send(at, input)
  }
  return lines
}

/** A transcript as text, for `toEqual`: `30000 registered send-heartbeat`. */
export const asText = <Output extends { readonly name: string }>(
  lines: readonly TranscriptLine<Output>[],
  describe: (output: Output) => string = ({ name }) => name,
): string[] => lines.map(({ at, state, outputs }) => [at, state, ...outputs.map(describe)].join(' '))
