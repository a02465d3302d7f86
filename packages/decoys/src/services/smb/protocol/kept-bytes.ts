// What a connection takes in memory, about.
import { heldBytes } from './pipes/pipe.ts'
import { opensOf, type Product, type State } from './state.ts'

/** An id that was used, a session with its trees, an open file or pipe. */
const ID_BYTES = 64
const SESSION_BYTES = 2_048
const OPEN_BYTES = 1_024

export function keptBytes<P extends Product>(state: Pick<State<P>, 'window' | 'sessions'>): number {
  let bytes = ID_BYTES * state.window.used.size + SESSION_BYTES * state.sessions.size
  for (const open of opensOf(state)) bytes += OPEN_BYTES + (open.kind === 'pipe' ? heldBytes(open.pipe) : 0)
  return bytes
}
