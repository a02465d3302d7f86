// telnetd of BusyBox, as small devices have it: says its options, answers none of the client's, and asks for a name at once.
import { readable } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import { newReader, readSegment, type ReaderState } from '../../protocol/codec.ts'
import { bytes, COMMAND, DO, IAC, OPTION, WILL } from '../../protocol/commands.ts'
import { localize, type Guess, type TelnetTexts } from '../../protocol/login-texts.ts'
import { openTerminal, type } from '../../protocol/terminal.ts'
import { greet, interrupt, isStarting, readInput, startLogin, wakeLogin, type Login } from './login.ts'

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
const [CARRIAGE_RETURN, LINE_FEED] = [13, 10]

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
      return finish({ reader: newReader(), login, windowSize: '' }, OPTIONS, [], context)
    },
    step(state, segment, context) {
      const { login } = state
      const now = context.now()
      const { typed, answer } = readFrom(state, segment)
      if (isStarting(login)) {
        // The prompt discards what was typed; whether it is there, it answers only while it has nothing else to send.
        greet(login, now)
        return finish(state, '', [], context)
      }
      wakeLogin(login, now)
      const signals = type(login.terminal, typed)
      const guesses = signals.flatMap((signal) => interrupt(login, signal, now) ?? [])
      const guess = readInput(login, now)
      return finish(state, answer, guess ? [...guesses, guess] : guesses, context)
    },
    wake(state, context) {
      wakeLogin(state.login, context.now())
      return finish(state, '', [], context)
    },
    idle: (state) => ({ state }),
  })

/** What the client typed, and what telnetd itself says to it. */
function readFrom(state: State, segment: Buffer): { readonly typed: string; readonly answer: string } {
  let [typed, answer] = ['', '']
  readSegment(state.reader, segment, {
    data(byte, next) {
      typed += bytes(byte)
      return byte === CARRIAGE_RETURN && (next === LINE_FEED || next === 0)
    },
    command(command) {
      if (command === COMMAND.areYouThere) answer = I_AM_HERE
    },
    negotiate: () => undefined,
    subnegotiation([option, ...size]) {
      if (option !== OPTION.windowSize || size.length !== 4) return
      const [columns, rows] = [size[0]! * 256 + size[1]!, size[2]! * 256 + size[3]!]
      state.windowSize = `${columns}x${rows}`
    },
  })
  return { typed, answer }
}

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
