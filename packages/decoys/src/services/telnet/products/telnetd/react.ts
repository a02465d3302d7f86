// What telnetd does about WILL, WONT, DO and DONT.
import { offerCiphers, requestAuthentication } from './authentication.ts'
import type { Verb } from '../../protocol/codec.ts'
import { askFor, offer, tell, type Connection } from './connection.ts'
import { sendFlowControl, setLineMode } from './line-mode.ts'
import { settle, stateOf } from '../../protocol/options.ts'
import { DO, DONT, OPTION, WILL, WONT } from '../../protocol/commands.ts'
import { CANNOT_CHANGE, DEFAULT } from './special-characters.ts'

export function receiveVerb(connection: Connection, verb: Verb, option: number): void {
  if (verb === WILL) receiveWill(connection, option)
  else if (verb === WONT) receiveWont(connection, option)
  else if (verb === DO) receiveDo(connection, option)
  else receiveDont(connection, option)
}

/** Options that the client may switch on unasked. */
const WELCOME: ReadonlySet<number> = new Set([
  OPTION.binary,
  OPTION.suppressGoAhead,
  OPTION.terminalType,
  OPTION.windowSize,
  OPTION.terminalSpeed,
  OPTION.flowControl,
  OPTION.linemode,
  OPTION.xDisplayLocation,
  OPTION.oldEnvironment,
  OPTION.authentication,
  OPTION.encryption,
  OPTION.newEnvironment,
])

/** As if the client had said WILL. */
export function receiveWill(connection: Connection, option: number): void {
  const state = stateOf(connection.theirs, option)
  const isSettled = settle(state, true)
  const isUnasked = isSettled && !state.isWanted
  if (isSettled && option === OPTION.echo) connection.isOld = true
  // A client that has timing marks is taken to have the substitute for line mode. It gets no answer.
  if (isUnasked && option === OPTION.timingMark) return beginKludge(connection)
  if (isUnasked && WELCOME.has(option)) {
    if (option === OPTION.binary && connection.terminal) connection.terminal.attributes.stripsInput = false
    if (option === OPTION.flowControl) connection.specialCharacters.flowControlLevel = DEFAULT
    state.isWanted = true
    tell(connection, DO, option)
  } else if (isUnasked) {
    state.requests += 1
    tell(connection, DONT, option)
  } else if (isSettled && option === OPTION.echo) askFor(connection, option, false)
  state.isOn = true
  if (isSettled) afterWill(connection, option, isUnasked)
}

function afterWill(connection: Connection, option: number, isUnasked: boolean): void {
  if (option === OPTION.linemode) {
    connection.lineEditing = 'linemode'
    setLineMode(connection, true)
  } else if (option === OPTION.authentication) requestAuthentication(connection)
  else if (option === OPTION.encryption) offerCiphers(connection)
  else if (option === OPTION.flowControl && !isUnasked) sendFlowControl(connection)
}

function beginKludge(connection: Connection): void {
  if (connection.lineEditing !== 'none') return
  connection.lineEditing = 'kludge'
  setLineMode(connection, true)
  offer(connection, OPTION.suppressGoAhead, false)
}

function receiveWont(connection: Connection, option: number): void {
  const state = stateOf(connection.theirs, option)
  if (settle(state, false)) {
    if (state.isWanted) {
      refused(connection, option)
      state.isWanted = false
      if (option === OPTION.timingMark) return
      if (state.isOn) tell(connection, DONT, option)
    } else if (option === OPTION.timingMark) endKludge(connection)
  }
  state.isOn = false
}

/** The client refuses, or withdraws, an option that we want. */
function refused(connection: Connection, option: number): void {
  if (option === OPTION.binary && connection.terminal) connection.terminal.attributes.stripsInput = true
  else if (option === OPTION.linemode && connection.lineEditing === 'linemode') setLineMode(connection, false)
  else if (option === OPTION.flowControl) connection.specialCharacters.flowControlLevel = CANNOT_CHANGE
  // Nobody waits any more for its subnegotiation.
  else connection.answered.add(option)
}

function endKludge(connection: Connection): void {
  if (connection.lineEditing === 'linemode') return
  connection.lineEditing = 'none'
  setLineMode(connection, false)
  offer(connection, OPTION.suppressGoAhead, true)
  offer(connection, OPTION.echo, true)
}

function receiveDo(connection: Connection, option: number): void {
  const state = stateOf(connection.ours, option)
  if (settle(state, true) && !state.isWanted) {
    if (option === OPTION.timingMark) {
      tell(connection, WILL, option)
      state.isOn = false
      return
    }
    if (option === OPTION.logout) {
      tell(connection, WILL, option)
      connection.isLoggedOut = true
      return
    }
    if (switchOn(connection, option)) {
      state.isWanted = true
      tell(connection, WILL, option)
    } else {
      state.requests += 1
      tell(connection, WONT, option)
    }
  }
  state.isOn = true
}

/** False: we do not have it. */
function switchOn(connection: Connection, option: number): boolean {
  const { terminal, lineEditing } = connection
  switch (option) {
    case OPTION.echo:
      if (terminal && lineEditing === 'none') terminal.attributes.echoes = true
      return true
    case OPTION.binary:
      if (terminal) terminal.attributes.processesOutput = false
      return true
    case OPTION.suppressGoAhead:
      if (lineEditing === 'kludge') setLineMode(connection, false)
      return true
    default:
      return option === OPTION.status || option === OPTION.encryption
  }
}

function receiveDont(connection: Connection, option: number): void {
  const state = stateOf(connection.ours, option)
  if (settle(state, false) && state.isWanted) {
    const { terminal, lineEditing } = connection
    if (option === OPTION.binary && terminal) terminal.attributes.processesOutput = true
    if (option === OPTION.echo && terminal && lineEditing === 'none') terminal.attributes.echoes = false
    if (option === OPTION.suppressGoAhead && lineEditing === 'kludge') setLineMode(connection, true)
    state.isWanted = false
    if (state.isOn) tell(connection, WONT, option)
  }
  state.isOn = false
}
