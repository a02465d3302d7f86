// Who edits lines and who echoes: the LINEMODE option (RFC 1184), its older substitute, flow control, and what follows from
// the state of the terminal.
import { askFor, flush, has, offer, type Connection } from './connection.ts'
import { stateOf } from '../../protocol/options.ts'
import { OPTION, subnegotiation } from '../../protocol/commands.ts'
import { answerTriplets } from './special-characters.ts'
import { INITIAL, type Terminal } from '../../protocol/terminal.ts'

const MODE = 1
export const SLC = 3
const EDIT = 1
const TRAP_SIGNALS = 2
const ACKNOWLEDGES = 4
const SOFT_TAB = 8
const LITERAL_ECHO = 16
const MODES = EDIT | TRAP_SIGNALS | SOFT_TAB | LITERAL_ECHO

const FLOW_ON = 1
const RESTART_XON = 3

/** Before there is a terminal, telnetd reads zeros. */
function modeOf(terminal: Terminal | undefined): number {
  if (!terminal) return LITERAL_ECHO
  const { isCanonical, hasSignals, showsControls } = terminal.attributes
  return (isCanonical ? EDIT : 0) | (hasSignals ? TRAP_SIGNALS : 0) | (showsControls ? 0 : LITERAL_ECHO)
}

/** telnetd sends the whole of a buffer that is a byte too long: a NUL follows. */
const withNul = (text: string): string => `${text}\0`

function sendMode(connection: Connection, mode: number): void {
  connection.send += withNul(subnegotiation(OPTION.linemode, MODE, mode))
}

/** The client switches line mode on or off. What telnetd says of it leaves at once. */
export function setLineMode(connection: Connection, on: boolean): void {
  if (on !== connection.isLineMode) switchLineMode(connection, on)
  flush(connection)
}

function switchLineMode(connection: Connection, on: boolean): void {
  if (on && connection.lineEditing === 'linemode') {
    connection.editMode = modeOf(connection.terminal)
    sendMode(connection, connection.editMode)
  }
  connection.isLineMode = on
  if (!on) offer(connection, OPTION.echo, true)
}

/** The client asks for a mode, or acknowledges ours. */
export function setEditMode(connection: Connection, asked: number): void {
  const { terminal, editMode } = connection
  const mode = asked & MODES
  if (mode === editMode) return flush(connection)
  const isAcknowledgement = (asked & ACKNOWLEDGES) !== 0
  if (isAcknowledgement) followTerminal(connection)
  if (terminal) {
    const { attributes } = terminal
    const changed = mode ^ editMode
    if (changed & EDIT) attributes.isCanonical = (mode & EDIT) !== 0
    if (changed & TRAP_SIGNALS) attributes.hasSignals = (mode & TRAP_SIGNALS) !== 0
    if (changed & LITERAL_ECHO) attributes.showsControls = (mode & LITERAL_ECHO) === 0
  }
  if (!isAcknowledgement) sendMode(connection, mode | ACKNOWLEDGES)
  connection.editMode = mode
  flush(connection)
}

/** Tells the client how output is stopped and restarted. */
export function sendFlowControl(connection: Connection): void {
  if (!connection.terminal || !has(connection, OPTION.flowControl) || connection.isRestartSaid) return
  connection.isRestartSaid = true
  connection.send += withNul(subnegotiation(OPTION.flowControl, RESTART_XON))
}

/** Once the terminal has other characters for it than XON and XOFF, telnetd says that flow control is on. */
export function watchFlowControl(connection: Connection, terminal: Terminal): void {
  const { start, stop } = terminal.attributes.characters
  const isUsual = start === INITIAL.characters.start && stop === INITIAL.characters.stop
  if (connection.isFlowUsual && !isUsual && has(connection, OPTION.flowControl))
    connection.send += withNul(subnegotiation(OPTION.flowControl, FLOW_ON))
  connection.isFlowUsual = isUsual
}

/** Makes options follow the terminal: input of eight bits is binary; lines are edited here. */
export function followTerminal(connection: Connection): void {
  const { terminal } = connection
  askFor(connection, OPTION.binary, !terminal?.attributes.stripsInput)
  offer(connection, OPTION.binary, terminal?.attributes.processesOutput === false)
  sendFlowControl(connection)
  if (connection.isLineMode) {
    if (connection.lineEditing === 'linemode') askFor(connection, OPTION.linemode, false)
    else offer(connection, OPTION.suppressGoAhead, true)
    offer(connection, OPTION.echo, true)
    connection.isLineMode = false
  } else if (connection.lineEditing === 'kludge') offer(connection, OPTION.suppressGoAhead, true)
}

/** Triplets that come before the terminal is ready wait; of several lists the first one. */
export function receiveTriplets(connection: Connection, content: readonly number[]): void {
  const { terminal, specialCharacters } = connection
  if (!connection.isReady || !terminal) {
    connection.deferredTriplets ??= content
    return
  }
  const answer = answerTriplets(specialCharacters, content, terminal.attributes.characters)
  if (answer.length === 0) return
  connection.send += subnegotiation(OPTION.linemode, SLC, ...answer)
  flush(connection)
}

/** What `STATUS SEND` shows of line mode. */
export const linemodeWanted = ({ theirs }: Connection): boolean => stateOf(theirs, OPTION.linemode).isWanted
