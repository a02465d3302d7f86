// A small line protocol for tests of the session runner and the host: it echoes each line.
import { sessionRunner } from '../src/session/session-runner.ts'
import type { Listener, SessionDefinition, Step } from '../src/session/session.ts'

/** The state counts the lines. Some lines make it do more: throw, close, reset, delay, compute, answer 100 KB. */
export const lines: SessionDefinition<number, string> = {
  limits: { frameBytes: 1_000, idleMs: 60_000 },
  decode(bytes) {
    const end = bytes.indexOf(10)
    return end < 0 ? undefined : { frame: bytes.toString('utf8', 0, end), length: end + 1 }
  },
  open: () => ({ state: 0, send: 'hello\n' }),
  step(state, line): Step<number> {
    const events = [{ logtype: '21001', fields: { LINE: line, N: state } }]
    if (line === 'throw') throw new Error('a session that throws')
    if (line === 'bye') return { state, events, send: 'bye\n', close: 'end' }
    if (line === 'leave') return { state, events, send: 'left\n', close: 'close' }
    if (line === 'reset') return { state, events, send: 'reset\n', close: 'reset' }
    if (line === 'slow') return { state: state + 1, events, send: 'slow\n', delayMs: 3_000 }
    if (line === 'later')
      return {
        state,
        later: () => Promise.resolve({ state: state + 1, events, send: 'later\n' }),
      }
    if (line === 'fail') return { state, later: () => Promise.reject(new Error('a computation that fails')) }
    if (line === 'big') return { state: state + 1, events, send: 'x'.repeat(100_000) + '\n' }
    return { state: state + 1, events, send: `${line}\n` }
  },
  idle: (state) => ({ state, send: 'idle\n', close: 'end' }),
  closed: (state) => [{ logtype: '21001', fields: { CLOSED: state } }],
}

export const lineListener = (port: number, instance = 'line', definition = lines): Listener => ({
  instance,
  transport: 'tcp',
  port,
  startSession: sessionRunner(definition),
})
