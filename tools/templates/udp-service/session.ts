// some-product, as far as it answers one datagram. What no product changes stands in protocol/.
import { sessionRunner } from '@rookery/decoys/session/session-runner.ts'
import { decode, type Message } from './codec.ts'
import { ERROR } from './profile.ts'

export const someNameSession = sessionRunner<undefined, Message>({
  limits: { frameBytes: 65_536, idleMs: 1_000 },
  decode,
  open: () => ({ state: undefined }),
  step: (state, { bytes }) => (bytes.length > ERROR.length ? { state, send: ERROR } : { state }),
})
