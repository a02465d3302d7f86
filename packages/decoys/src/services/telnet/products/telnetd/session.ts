// A Telnet session: telnetd negotiates, login asks for name and password over a terminal. No login succeeds; each try
// raises an event before its refusal.
import { readable } from '../../../../session/readable.ts'
import { sessionRunner } from '../../../../session/session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../../../session/session.ts'
import { localize, type Guess, type TelnetTexts } from '../../protocol/login-texts.ts'
import { flush, newConnection, type Connection } from './connection.ts'
import { nextWakeAt, readInput, signalLogin, startLogin, wakeLogin, type Login } from './login.ts'
import { negotiate, type Negotiation } from './negotiate.ts'
import { receiveSegment, SEGMENT_BYTES, sendOutput, toNetwork } from './telnetd.ts'
import { openTerminal, type } from '../../protocol/terminal.ts'

interface State {
  readonly connection: Connection
  readonly negotiation: Negotiation
  readonly context: SessionContext
  login: Login | undefined
  /** The number of the terminal while it is open. */
  terminalNumber: number | undefined
}

/** A client may be silent for ever before login starts; then it is given up first. */
const IDLE_MS = 300_000

/** Sessions that share the machine's terminals. `fillIn` puts the host's name into a text. */
export function telnetSession(
  texts: TelnetTexts,
  fillIn: (text: string, context: SessionContext) => string,
): SessionRunner {
  const terminals = new Set<number>()
  return sessionRunner<State, Buffer>({
    limits: { frameBytes: SEGMENT_BYTES, idleMs: IDLE_MS },
    decode(bytes) {
      if (bytes.length === 0) return undefined
      const frame = bytes.subarray(0, SEGMENT_BYTES)
      return { frame, length: frame.length }
    },
    open(context) {
      const state = openSession(
        context,
        localize(texts, (text) => fillIn(text, context)),
        terminals,
      )
      return advance(state)
    },
    step(state, segment) {
      receiveSegment(state.connection, segment)
      return advance(state)
    },
    // During the negotiation telnetd writes only when it is about to read.
    wake: (state) => advance(state, state.connection.isReady),
    idle: (state) => ({ state }),
    closed(state) {
      if (state.terminalNumber !== undefined) terminals.delete(state.terminalNumber)
      return []
    },
  })
}

function openSession(context: SessionContext, texts: TelnetTexts, terminals: Set<number>): State {
  const connection = newConnection()
  const state: State = {
    connection,
    context,
    login: undefined,
    terminalNumber: undefined,
    negotiation: negotiate(
      connection,
      () => {
        connection.terminal = openTerminal()
        connection.isBusy = true
        state.terminalNumber = lowestFree(terminals)
        state.login = startLogin(connection.terminal, texts, context.now())
      },
      () => {
        connection.send += toNetwork(bannerOf(texts.banner, state.terminalNumber ?? 0), false)
      },
    ),
  }
  return state
}

function lowestFree(terminals: Set<number>): number {
  let number = 0
  while (terminals.has(number)) number += 1
  terminals.add(number)
  return number
}

const bannerOf = (banner: string, terminal: number): string =>
  banner && `\r\n${banner.replaceAll('%t', `pts/${terminal}`).replace(/\r?\n/g, '\r\n')}\r\n\r\n`

/** Goes on as far as it can without the client or the clock. */
function advance(state: State, writes = true): Step<State> {
  const { connection, negotiation, context } = state
  if (!connection.isReady && !connection.isLoggedOut) negotiation.next()
  const { login } = state
  const now = context.now()
  if (!login) return finish(state, [], now, writes)
  wakeLogin(login, now)
  typeInput(connection, login)
  connection.isBusy = true
  const events = readGuesses(login, now, context.random).map((guess) => eventOf(guess, connection))
  if (connection.isReady) sendOutput(connection, login.terminal, false)
  return finish(state, events, now, writes)
}

/** What the client typed goes to the terminal, once there is somebody to show its echo to. */
function typeInput(connection: Connection, login: Login): void {
  if (!connection.isReady) return
  // A prompt that waited for the negotiation stands before the echo of what was typed meanwhile.
  sendOutput(connection, login.terminal, false)
  const signals = type(login.terminal, connection.typed)
  connection.typed = ''
  for (const signal of signals) signalLogin(login, signal)
  sendOutput(connection, login.terminal, signals.length > 0)
}

function readGuesses(login: Login, now: number, random: SessionContext['random']): readonly Guess[] {
  const guess = readInput(login, now, random)
  return guess ? [guess, ...readGuesses(login, now, random)] : []
}

function finish(state: State, events: readonly DecoyEvent[], now: number, writes: boolean): Step<State> {
  const { connection, login } = state
  const isOver = connection.isLoggedOut || login?.stage === 'over'
  return {
    state,
    ...(writes && takeWrites(connection)),
    ...(events.length > 0 && { events }),
    ...(login && { wakeMs: Math.max(0, nextWakeAt(login) - now) }),
    ...(isOver && { close: 'close' as const }),
  }
}

function takeWrites(connection: Connection): Pick<Step<State>, 'send' | 'furtherWrites'> {
  flush(connection)
  const { misdirected, writes } = connection
  const [first, ...rest] = [{ text: misdirected, isLater: false }, ...writes].filter(
    ({ text }) => text !== '',
  )
  Object.assign(connection, { misdirected: '', writes: [], isBusy: false })
  const furtherWrites = rest.map(({ text, isLater }) => ({ send: Buffer.from(text, 'latin1'), isLater }))
  return {
    ...(first && { send: Buffer.from(first.text, 'latin1') }),
    ...(furtherWrites.length > 0 && { furtherWrites }),
  }
}

const eventOf = ({ user, password }: Guess, { windowSize, terminalType }: Connection): DecoyEvent => ({
  logtype: '6001',
  fields: {
    USERNAME: readable(user),
    PASSWORD: readable(password),
    TERMSIZE: windowSize ? windowSize.join('x') : '',
    TERMTYPE: readable(terminalType),
  },
})
