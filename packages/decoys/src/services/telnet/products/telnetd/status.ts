// The answer to STATUS SEND (RFC 859): every option that we want on either side.
import { flush, type Connection } from './connection.ts'
import { linemodeWanted, SLC } from './line-mode.ts'
import { stateOf } from '../../protocol/options.ts'
import { bytes, COMMAND, DO, IAC, IS, OPTION, SB, WILL } from '../../protocol/commands.ts'
import { triplets } from './special-characters.ts'

const MODE = 1
const FLOW_ON = 1
const RESTART_XON = 3
/** telnetd's buffer. What does not fit is not sent at all. */
const MAX_STATUS_BYTES = 256

export function sendStatus(connection: Connection): void {
  const { ours, theirs } = connection
  let text = bytes(IAC, SB, OPTION.status, IS)
  for (let option = 0; option <= OPTION.newEnvironment; option += 1) {
    if (stateOf(ours, option).isWanted) text += bytes(WILL) + doubled(option)
    if (stateOf(theirs, option).isWanted) text += bytes(DO) + doubled(option)
  }
  if (stateOf(theirs, OPTION.flowControl).isWanted) {
    text += within(OPTION.flowControl, FLOW_ON)
    if (connection.isRestartSaid) text += within(OPTION.flowControl, RESTART_XON)
  }
  if (linemodeWanted(connection)) {
    text += within(OPTION.linemode, MODE, connection.editMode)
    text += within(OPTION.linemode, SLC, ...triplets(connection.specialCharacters))
  }
  text += bytes(IAC, COMMAND.subnegotiationEnd)
  flush(connection)
  if (text.length <= MAX_STATUS_BYTES) connection.send += text
  flush(connection)
}

/** A subnegotiation as STATUS shows it: without IAC. */
const within = (option: number, first: number, ...rest: readonly number[]): string =>
  bytes(SB, option, first) + rest.map(doubled).join('') + bytes(COMMAND.subnegotiationEnd)

const doubled = (code: number): string =>
  code === COMMAND.subnegotiationEnd || code === IAC ? bytes(code, code) : bytes(code)
