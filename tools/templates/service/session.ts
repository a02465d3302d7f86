// some-product as a pure state machine: what it answers. What no product changes stands in protocol/.
import { sessionRunner } from '@rookery/decoys/session/session-runner.ts'
import { decode } from './codec.ts'
import { GREETING } from './profile.ts'

interface State {
  readonly name: 'open'
}

export const someNameSession = sessionRunner<State, string>({
  limits: { frameBytes: 4_096, idleMs: 60_000 },
  decode,
  open: () => ({ state: { name: 'open' }, send: GREETING }),
  step: (state) => ({ state, close: 'end' }),
})
