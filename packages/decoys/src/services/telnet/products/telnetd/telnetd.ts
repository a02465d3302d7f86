// telnetd of GNU inetutils 2.4, as Debian 12 builds it: stands between the client and the terminal.
import { readSegment, type Receiver } from '../../protocol/codec.ts'
import { flush, has, type Connection } from './connection.ts'
import { watchFlowControl } from './line-mode.ts'
import { stateOf } from '../../protocol/options.ts'
import { OPTION, bytes, COMMAND, dataMark } from '../../protocol/commands.ts'
import { receiveVerb } from './react.ts'
import { receiveSubnegotiation } from './subnegotiation.ts'
import { INITIAL, type Terminal } from '../../protocol/terminal.ts'

/** What telnetd reads at a time. */
export const SEGMENT_BYTES = 8_192
/** Its buffer for the terminal. When it is full before there is a terminal, it is emptied. */
const MAX_TYPED = 8_190

/** Options, commands and what is typed, of one segment. */
export function receiveSegment(connection: Connection, segment: Buffer): void {
  readSegment(connection.reader, segment, receiverOf(connection))
}

const receiverOf = (connection: Connection): Receiver => ({
  data: (byte, next) => receiveData(connection, byte, next),
  command(command) {
    connection.isAfterReturn = false
    if (!connection.isLoggedOut) receiveCommand(connection, command)
  },
  negotiate(verb, option) {
    connection.isAfterReturn = false
    if (!connection.isLoggedOut) receiveVerb(connection, verb, option)
  },
  subnegotiation(content) {
    connection.isAfterReturn = false
    if (!connection.isLoggedOut) receiveSubnegotiation(connection, content)
  },
})

const CARRIAGE_RETURN = 13
const LINE_FEED = 10

function receiveData(connection: Connection, byte: number, next: number | undefined): boolean {
  const isEnd = connection.isAfterReturn && (byte === 0 || byte === LINE_FEED)
  connection.isAfterReturn = false
  if (isEnd || connection.isLoggedOut) return false
  if (byte !== CARRIAGE_RETURN || has(connection, OPTION.binary)) {
    typeByte(connection, byte)
    return false
  }
  // In line mode the end of a line is the terminal's own.
  const isLocalEnd = connection.isLineMode && (next === LINE_FEED || next === 0)
  connection.isAfterReturn = !isLocalEnd
  typeByte(connection, isLocalEnd ? LINE_FEED : byte)
  return isLocalEnd
}

function typeByte(connection: Connection, byte: number): void {
  if (connection.typed.length >= MAX_TYPED) connection.typed = ''
  connection.typed += bytes(byte)
}

/** Before these commands telnetd writes what is typed to the terminal. Until there is one, its descriptor is the client's. */
const FLUSHING: ReadonlySet<number> = new Set([
  COMMAND.interruptProcess,
  COMMAND.break,
  COMMAND.abort,
  COMMAND.suspend,
  COMMAND.eraseCharacter,
  COMMAND.eraseLine,
  COMMAND.abortOutput,
])

/** What telnetd types for an interrupt until it knows the terminal's character. */
const DELETE = 127

function flushTyped(connection: Connection): void {
  if (connection.terminal) return
  connection.misdirected += connection.typed
  connection.typed = ''
}

function receiveCommand(connection: Connection, command: number): void {
  const { interrupt, quit, suspend, erase, kill, endOfFile, discard } = (
    connection.terminal?.attributes ?? INITIAL
  ).characters
  if (FLUSHING.has(command)) flushTyped(connection)
  switch (command) {
    case COMMAND.areYouThere:
      connection.send += '\r\n[Yes]\r\n'
      return
    case COMMAND.interruptProcess:
      return typeByte(connection, connection.terminal ? interrupt : DELETE)
    case COMMAND.break:
    case COMMAND.abort:
      return typeByte(connection, quit)
    case COMMAND.suspend:
      return typeByte(connection, suspend)
    case COMMAND.endOfFile:
      return typeByte(connection, endOfFile)
    case COMMAND.endOfRecord:
      if (has(connection, 25)) typeByte(connection, endOfFile)
      return
    case COMMAND.eraseCharacter:
      if (connection.terminal && erase !== 0) typeByte(connection, erase)
      return
    case COMMAND.eraseLine:
      if (connection.terminal && kill !== 0) typeByte(connection, kill)
      return
    case COMMAND.abortOutput:
      if (connection.terminal && discard !== 0) typeByte(connection, discard)
      connection.send = commandsOf(connection.send) + dataMark
      connection.urgentAt = connection.send.length - 1
  }
}

/** What of the output that waits is no text. */
const commandsOf = (text: string): string =>
  (text.match(/\xff(?:\xfa[^]*?\xff\xf0|[\xfb-\xfe][^]|[^])/g) ?? []).join('')

/** Text of the terminal on its way to the client: 255 is doubled, and a lone carriage return is followed by NUL. */
export const toNetwork = (text: string, isBinary: boolean): string => {
  const doubled = text.replaceAll('\xff', '\xff\xff')
  return isBinary ? doubled : doubled.replace(/\r(?!\n)/g, '\r\0')
}

/** Sends what the terminal shows, behind a mark if a signal has emptied it, and behind what telnetd says itself. */
export function sendOutput(connection: Connection, terminal: Terminal, isFlushed: boolean): void {
  const { output } = terminal
  terminal.output = ''
  flush(connection)
  if (isFlushed) connection.send += dataMark
  watchFlowControl(connection, terminal)
  connection.send += toNetwork(output, stateOf(connection.ours, OPTION.binary).isOn)
}
