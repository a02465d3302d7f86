// telnetd of BusyBox, as small devices have it: says its options, answers none of the client's, and asks for a name at once.
import { readable } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import { bytes, DO, IAC, OPTION, WILL } from '../../protocol/commands.ts'
import { localize, type Guess, type TelnetTexts } from '../../protocol/login-texts.ts'
import { openTerminal, type } from '../../protocol/terminal.ts'
import { greet, interrupt, isStarting, readInput, startLogin, wakeLogin, type Login } from './login.ts'
import { readSegment, type ReaderState } from './reader.ts'

interface State {
  readonly reader: ReaderState
  readonly login: Login
  windowSize: string
}

/** What it reads at a time. */
const SEGMENT_BYTES = 4_096
const IDLE_MS = 300_000
const OPTIONS = [
  bytes(IAC, DO, OPTION.echo),
  bytes(IAC, DO, OPTION.windowSize),
  bytes(IAC, WILL, OPTION.echo),
  bytes(IAC, WILL, OPTION.suppressGoAhead),
].join('')
/** IAC NOP, whose IAC it doubles as if it were output. */
const I_AM_HERE = '\xff\xff\xf1'

export const busyboxSession = (
  texts: TelnetTexts,
  fillIn: (text: string, context: SessionContext) => string,
): SessionRunner =>
  sessionRunner<State, Buffer>({
    limits: { frameBytes: SEGMENT_BYTES, idleMs: IDLE_MS },
    decode(segment) {
      if (segment.length === 0) return undefined
      const frame = segment.subarray(0, SEGMENT_BYTES)
      return { frame, length: frame.length }
    },
    open(context) {
      const terminal = openTerminal()
      terminal.attributes.expandsTabs = true
      const own = localize(texts, (text) => fillIn(text, context))
      const login = startLogin(terminal, own, context.now())
      return finish({ reader: { isAfterIac: false }, login, windowSize: '' }, OPTIONS, [], context)
    },
    step(state, segment, context) {
      const { login } = state
      const now = context.now()
      const { typed, isAreYouThere, windowSize } = readSegment(state.reader, segment)
      state.windowSize = windowSize ?? state.windowSize
      if (isStarting(login)) {
        // The prompt discards what was typed; whether it is there, it answers only while it has nothing else to send.
        greet(login, now)
        return finish(state, '', [], context)
      }
      wakeLogin(login, now)
      const signals = type(login.terminal, typed)
      const guesses = signals.flatMap((signal) => interrupt(login, signal, now) ?? [])
      guesses.push(...readInput(login, now))
      return finish(state, isAreYouThere ? I_AM_HERE : '', guesses, context)
    },
    wake(state, context) {
      const now = context.now()
      wakeLogin(state.login, now)
      return finish(state, '', readInput(state.login, now), context)
    },
    idle: (state) => ({ state }),
  })

function finish(
  state: State,
  answer: string,
  guesses: readonly Guess[],
  { now }: SessionContext,
): Step<State> {
  const { login, windowSize } = state
  const { terminal, stage, wakeAt } = login
  const text = answer + terminal.output.replaceAll('\xff', '\xff\xff')
  terminal.output = ''
  return {
    state,
    ...(guesses.length > 0 && { events: guesses.map((guess) => eventOf(guess, windowSize)) }),
    ...(text !== '' && { send: Buffer.from(text, 'latin1') }),
    ...(stage === 'over' ? { close: 'close' as const } : { wakeMs: Math.max(0, wakeAt - now()) }),
  }
}

const eventOf = ({ user, password }: Guess, windowSize: string): DecoyEvent => ({
  logtype: '6001',
  fields: { USERNAME: readable(user), PASSWORD: readable(password), TERMSIZE: windowSize, TERMTYPE: '' },
})
