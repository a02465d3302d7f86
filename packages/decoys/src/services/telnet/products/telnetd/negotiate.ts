// telnetd's negotiation, from the first byte until login's prompt can be shown. Each `yield` waits for the client's next
// segment; a client that never answers waits for ever.
import { askFor, flush, has, isAsked, offer, type Connection } from './connection.ts'
import { followTerminal, receiveTriplets } from './line-mode.ts'
import { isChanging, stateOf } from '../../protocol/options.ts'
import { OPTION, SEND, subnegotiation } from '../../protocol/commands.ts'
import { receiveWill } from './react.ts'
import { TERMINAL_TYPES } from './terminal-types.ts'

export type Negotiation = Generator<undefined, void, void>

/** `startTerminal` opens the terminal and starts login; `greet` shows the banner. */
export function* negotiate(
  connection: Connection,
  startTerminal: () => void,
  greet: () => void,
): Negotiation {
  yield* learnTerminal(connection)
  startTerminal()
  yield* agreeOnEcho(connection)
  if (connection.lineEditing !== 'linemode') askForTimingMark(connection)
  followTerminal(connection)
  connection.isReady = true
  if (connection.deferredTriplets) receiveTriplets(connection, connection.deferredTriplets)
  flush(connection)
  greet()
}

/** Options whose value telnetd asks for, in the order in which it waits for them. */
const VALUES = [
  OPTION.terminalSpeed,
  OPTION.xDisplayLocation,
  OPTION.newEnvironment,
  OPTION.oldEnvironment,
] as const

function* learnTerminal(connection: Connection): Negotiation {
  offer(connection, OPTION.authentication, true)
  offer(connection, OPTION.encryption, true)
  const asked = [OPTION.terminalType, ...VALUES]
  for (const option of asked) askFor(connection, option, true)
  const isOpen = (): boolean =>
    isChanging(stateOf(connection.ours, OPTION.encryption)) ||
    asked.some((option) => isAsked(connection, option))
  while (isOpen()) yield
  for (const option of VALUES) {
    const isCovered = option === OPTION.oldEnvironment && has(connection, OPTION.newEnvironment)
    if (has(connection, option) && !isCovered) askForValue(connection, option)
  }
  if (has(connection, OPTION.terminalType)) askForValue(connection, OPTION.terminalType)
  for (const option of VALUES) if (has(connection, option)) yield* value(connection, option)
  if (has(connection, OPTION.terminalType)) yield* knownTerminal(connection)
}

function askForValue(connection: Connection, option: number): void {
  connection.send += subnegotiation(option, SEND)
}

function* value({ answered }: Connection, option: number): Negotiation {
  while (!answered.has(option)) yield
}

/** Asks for further types until one is known, or the list begins anew (RFC 1091). */
function* knownTerminal(connection: Connection): Negotiation {
  yield* value(connection, OPTION.terminalType)
  const isKnown = (): boolean => TERMINAL_TYPES.has(connection.terminalType)
  if (!has(connection, OPTION.terminalType) || isKnown()) return
  const first = connection.terminalType
  for (;;) {
    const last = connection.terminalType
    yield* nextTerminal(connection)
    if (isKnown()) return
    if (last !== connection.terminalType && has(connection, OPTION.terminalType)) continue
    if (first === connection.terminalType) return
    yield* nextTerminal(connection)
    connection.terminalType = first
    return
  }
}

function* nextTerminal(connection: Connection): Negotiation {
  if (!has(connection, OPTION.terminalType)) return
  connection.answered.delete(OPTION.terminalType)
  askForValue(connection, OPTION.terminalType)
  yield* value(connection, OPTION.terminalType)
}

function* agreeOnEcho(connection: Connection): Negotiation {
  const echo = stateOf(connection.theirs, OPTION.echo)
  offer(connection, OPTION.suppressGoAhead, true)
  askFor(connection, OPTION.echo, true)
  if (!has(connection, OPTION.linemode)) {
    connection.isLineMode = false
    connection.editMode = 0
    askFor(connection, OPTION.linemode, true)
  }
  askFor(connection, OPTION.windowSize, true)
  offer(connection, OPTION.status, true)
  askFor(connection, OPTION.flowControl, true)
  while (isAsked(connection, OPTION.windowSize)) yield
  if (echo.isWanted && has(connection, OPTION.windowSize)) while (isChanging(echo)) yield
  // A client that has not answered is taken for one that echoes already; it shall not.
  if (echo.isWanted) receiveWill(connection, OPTION.echo)
  if (!stateOf(connection.ours, OPTION.echo).isOn) offer(connection, OPTION.echo, true)
}

/** A request that telnetd forgets at once: the answer shows whether the client has the substitute for line mode. */
function askForTimingMark(connection: Connection): void {
  askFor(connection, OPTION.timingMark, true)
  stateOf(connection.theirs, OPTION.timingMark).isWanted = false
}
