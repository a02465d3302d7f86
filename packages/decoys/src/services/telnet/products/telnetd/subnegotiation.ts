// What telnetd takes from the client's subnegotiations.
import { receiveAuthentication, receiveEncryption } from './authentication.ts'
import { flush, has, type Connection } from './connection.ts'
import { receiveTriplets, setEditMode, SLC } from './line-mode.ts'
import { stateOf } from '../../protocol/options.ts'
import { IS, OPTION, SEND } from '../../protocol/commands.ts'
import { sendStatus } from './status.ts'

const MODE = 1

export function receiveSubnegotiation(connection: Connection, content: readonly number[]): void {
  const [option, qualifier] = content
  switch (option) {
    case OPTION.terminalSpeed:
      if (!has(connection, option)) return
      connection.answered.add(option)
      return flushAtPrompt(connection)
    case OPTION.terminalType:
      if (!has(connection, option)) return
      connection.answered.add(option)
      if (qualifier === IS) connection.terminalType = textOf(content.slice(2)).toLowerCase()
      return
    case OPTION.windowSize:
      if (!has(connection, option) || content.length <= 4) return
      connection.windowSize = sizeOf(content)
      return flushAtPrompt(connection)
    case OPTION.xDisplayLocation:
      if (qualifier === IS) connection.answered.add(option)
      return
    case OPTION.oldEnvironment:
    case OPTION.newEnvironment:
      // Of the variables that it brings, telnetd accepts none.
      if (qualifier === IS) connection.answered.add(option)
      return
    case OPTION.linemode:
      if (has(connection, option)) receiveLinemode(connection, content)
      return
    case OPTION.status:
      if (qualifier === SEND && stateOf(connection.ours, option).isOn) sendStatus(connection)
      return
    case OPTION.authentication:
      return receiveAuthentication(connection, content.slice(1))
    case OPTION.encryption:
      return receiveEncryption(connection, content.slice(1))
    case undefined:
      return
  }
}

/** During the negotiation telnetd waits for the value, and says nothing because of it. */
function flushAtPrompt(connection: Connection): void {
  if (connection.isReady) flush(connection)
}

function receiveLinemode(connection: Connection, [, request, ...rest]: readonly number[]): void {
  if (rest.length === 0) return
  if (request === SLC) receiveTriplets(connection, rest)
  else if (request === MODE) setEditMode(connection, rest[0]!)
}

const textOf = (content: readonly number[]): string =>
  Buffer.from(content).toString('latin1').replace(/\0.*$/s, '')

function sizeOf([, ...size]: readonly number[]): readonly [number, number] {
  const [columnsHigh = 0, columnsLow = 0, rowsHigh = 0, rowsLow = 0] = size
  return [columnsHigh * 256 + columnsLow, rowsHigh * 256 + rowsLow]
}
