// Some name as a pure state machine: the product and version that it claims to be, and what it answers.
import { sessionRunner } from '@rookery/decoys/session/session-runner.ts'
import { decode } from './codec.ts'

interface State {
  readonly name: 'open'
}

export const someNameSession = sessionRunner<State, string>({
  limits: { frameBytes: 4_096, idleMs: 60_000 },
  decode,
  open: () => ({ state: { name: 'open' } }),
  step: (state) => ({ state, close: 'end' }),
})
