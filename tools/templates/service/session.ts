// Some name as a pure machine: the product and version it claims to be, and what an intruder meets.
import { session } from '@rookery/decoys/converse.ts'
import { decode } from './codec.ts'

interface State {
  readonly name: 'open'
}

export const someName = session<State, string>({
  limits: { frameBytes: 4_096, idleMs: 60_000 },
  decode,
  open: () => ({ state: { name: 'open' } }),
  step: (state) => ({ state, close: 'end' }),
})
