// The state of one connection, and how telnetd asks for options.
import { newReader, type ReaderState } from '../../protocol/codec.ts'
import { isChanging, request, stateOf, type OptionStates } from '../../protocol/options.ts'
import { bytes, DO, DONT, IAC, WILL, WONT } from '../../protocol/commands.ts'
import { noSpecialCharacters, type SpecialCharacters } from './special-characters.ts'
import type { Terminal } from '../../protocol/terminal.ts'

export interface Connection {
  readonly reader: ReaderState
  /** The options of the client: WILL and WONT are its words, DO and DONT ours. */
  readonly theirs: OptionStates
  /** Our options. */
  readonly ours: OptionStates
  /** What is to be written; latin1. */
  send: string
  /** Where the last byte of a data mark stands in it while the mark is to go as urgent data; else 0. */
  urgentAt: number
  /** It said WILL ECHO, as clients of 4.2BSD do: they do not get urgent data. */
  isOld: boolean
  /** What was written since the client's last segment, a write(2) each. */
  writes: { readonly text: string; readonly isLater: boolean }[]
  /** telnetd or login takes a moment before the next write. */
  isBusy: boolean
  /** What telnetd writes to its descriptor 0 in place of a terminal; the client gets it first. */
  misdirected: string
  /** What the client typed since its last segment; during the negotiation, all of it. */
  typed: string
  /** A line feed or NUL behind a carriage return is no character of its own. */
  isAfterReturn: boolean
  /** Absent until the terminal's type is known. */
  terminal: Terminal | undefined
  /** Options whose subnegotiation has come. */
  readonly answered: Set<number>
  terminalType: string
  /** Columns and rows. */
  windowSize: readonly [number, number] | undefined
  /** How the client can edit lines itself: not, by RFC 1184, or by leaving out go-aheads. */
  lineEditing: 'none' | 'kludge' | 'linemode'
  isLineMode: boolean
  /** The mode of RFC 1184 that we have agreed on. */
  editMode: number
  readonly specialCharacters: SpecialCharacters
  /** Triplets that came before the negotiation was over. */
  deferredTriplets: readonly number[] | undefined
  /** The client knows that any character restarts its output, or that XON alone does. */
  isRestartSaid: boolean
  /** The terminal stops and restarts its output at XOFF and XON. */
  isFlowUsual: boolean
  /** The first request for authentication and the first offer of ciphers have no second. */
  isAuthenticationAsked: boolean
  isEncryptionOffered: boolean
  /** The negotiation is over: what is typed goes to the terminal. */
  isReady: boolean
  isLoggedOut: boolean
}

export const newConnection = (): Connection => ({
  reader: newReader(),
  theirs: new Map(),
  ours: new Map(),
  send: '',
  urgentAt: 0,
  isOld: false,
  writes: [],
  isBusy: false,
  misdirected: '',
  typed: '',
  isAfterReturn: false,
  terminal: undefined,
  answered: new Set(),
  terminalType: '',
  windowSize: undefined,
  lineEditing: 'none',
  isLineMode: false,
  editMode: 0,
  specialCharacters: noSpecialCharacters(),
  deferredTriplets: undefined,
  isRestartSaid: false,
  isFlowUsual: true,
  isAuthenticationAsked: false,
  isEncryptionOffered: false,
  isReady: false,
  isLoggedOut: false,
})

/** The client has it on. */
export const has = ({ theirs }: Connection, option: number): boolean => stateOf(theirs, option).isOn

/** We asked the client for it, and it has not answered. */
export const isAsked = ({ theirs }: Connection, option: number): boolean =>
  isChanging(stateOf(theirs, option))

/** Asks the client to switch an option of its own on or off, unless it is so or was asked. */
export function askFor(connection: Connection, option: number, on: boolean): void {
  if (request(stateOf(connection.theirs, option), on)) tell(connection, on ? DO : DONT, option)
}

/** Offers an option of ours, or withdraws it. */
export function offer(connection: Connection, option: number, on: boolean): void {
  if (request(stateOf(connection.ours, option), on)) tell(connection, on ? WILL : WONT, option)
}

export function tell(connection: Connection, verb: number, option: number): void {
  connection.send += bytes(IAC, verb, option)
}

/**
 * Writes what is to be sent. During the negotiation what stands before a data mark goes first; by the next write goes the
 * mark's IAC as urgent data, for which we write nothing; by the third all the rest, with that IAC.
 */
export function flush(connection: Connection): void {
  const { send, urgentAt, isOld, isReady, isLoggedOut } = connection
  const isWhole = urgentAt === 0 || isOld || isReady || isLoggedOut
  const written = isWhole ? send : send.slice(0, urgentAt - 1)
  if (written !== '') {
    connection.writes.push({ text: written, isLater: connection.isBusy })
    connection.isBusy = false
  }
  connection.send = send.slice(written.length)
  connection.urgentAt = isWhole || urgentAt === 1 ? 0 : 1
}
