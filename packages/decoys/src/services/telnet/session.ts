// A Telnet session: telnetd negotiates, login asks for name and password over a terminal. No login succeeds; each try
// raises an event before its refusal.
import { readable } from '../../readable.ts'
import { sessionRunner } from '../../session-runner.ts'
import type { DecoyEvent, SessionContext, SessionRunner, Step } from '../../session.ts'
import { newConnection, type Connection } from './connection.ts'
import {
  nextWakeAt,
  readInput,
  signalLogin,
  startLogin,
  wakeLogin,
  type Guess,
  type Login,
  type LoginTexts,
} from './login.ts'
import { negotiate, type Negotiation } from './negotiate.ts'
import { dataMark, receiveSegment, SEGMENT_BYTES, sendOutput, toNetwork } from './telnetd.ts'
import { openTerminal, type, type Signal } from './terminal.ts'

export interface TelnetTexts extends LoginTexts {
  /** Above the first prompt; `%h` is the host's name, `%t` the terminal's. Nothing when empty. */
  readonly banner: string
}

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
    wake: advance,
    idle: (state) => ({ state }),
    closed(state) {
      if (state.terminalNumber !== undefined) terminals.delete(state.terminalNumber)
      return []
    },
  })
}

const localize = (texts: TelnetTexts, fillIn: (text: string) => string): TelnetTexts => ({
  banner: fillIn(texts.banner),
  userPrompt: fillIn(texts.userPrompt),
  passwordPrompt: fillIn(texts.passwordPrompt),
  refusal: fillIn(texts.refusal),
})

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
function advance(state: State): Step<State> {
  const { connection, negotiation, context } = state
  if (!connection.isReady && !connection.isLoggedOut) negotiation.next()
  const { login } = state
  const now = context.now()
  if (!login) return finish(state, [], now)
  wakeLogin(login, now)
  const signals = typeInput(connection, login)
  const events = readGuesses(login, now, context.random).map((guess) => eventOf(guess, connection))
  if (connection.isReady) sendOutput(connection, login.terminal, signals.length > 0)
  return finish(state, events, now)
}

/** What the client typed goes to the terminal, once there is somebody to show its echo to. */
function typeInput(connection: Connection, login: Login): readonly Signal[] {
  if (!connection.isReady) return []
  // A prompt that waited for the negotiation stands before the echo of what was typed meanwhile.
  sendOutput(connection, login.terminal, false)
  const signals = type(login.terminal, connection.typed)
  connection.typed = ''
  for (const signal of signals) signalLogin(login, signal)
  return signals
}

function readGuesses(login: Login, now: number, random: SessionContext['random']): readonly Guess[] {
  const guess = readInput(login, now, random)
  return guess ? [guess, ...readGuesses(login, now, random)] : []
}

function finish(state: State, events: readonly DecoyEvent[], now: number): Step<State> {
  const { connection, login } = state
  const isHeld = !connection.isReady && !connection.isLoggedOut
  const sentAt = isHeld ? connection.send.indexOf(dataMark, connection.heldBytes) : -1
  const sent = sentAt < 0 ? connection.send : connection.send.slice(0, sentAt)
  const send = Buffer.from(connection.misdirected + sent, 'latin1')
  // During the negotiation telnetd sends what stands from a data mark on with its next answer alone.
  connection.send = connection.send.slice(sent.length)
  connection.heldBytes = connection.send.length
  connection.misdirected = ''
  const isOver = connection.isLoggedOut || login?.stage === 'over'
  return {
    state,
    send,
    ...(events.length > 0 && { events }),
    ...(login && { wakeMs: Math.max(0, nextWakeAt(login) - now) }),
    ...(isOver && { close: 'close' as const }),
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
