// Error packets (ERR_Packet of the protocol's documents): `ff`, code, `#` and SQLSTATE for clients of 4.1 and later, message.
import { byte, packet, u16 } from './codec.ts'

export interface ServerError {
  readonly code: number
  readonly sqlState: string
  readonly message: string
}

export const badHandshake: ServerError = { code: 1043, sqlState: '08S01', message: 'Bad handshake' }

/** `at` is the character between user and host, in the client's character set. */
export const accessDenied = (user: string, at: string, host: string, hasPassword: boolean): ServerError => ({
  code: 1045,
  sqlState: '28000',
  message: `Access denied for user '${user}'${at}'${host}' (using password: ${hasPassword ? 'YES' : 'NO'})`,
})

export const outOfOrder: ServerError = {
  code: 1156,
  sqlState: '08S01',
  message: 'Got packets out of order',
}

export const packetTooLarge: ServerError = {
  code: 1153,
  sqlState: '08S01',
  message: "Got a packet bigger than 'max_allowed_packet' bytes",
}

/** `address` is none of `proxy_protocol_networks`. */
export const proxyHeader = (address: string): ServerError => ({
  code: 1130,
  sqlState: 'HY000',
  message: `Proxy header is not accepted from ${address}`,
})

export const tooManyConnections: ServerError = {
  code: 1040,
  sqlState: '08004',
  message: 'Too many connections',
}

/** `client` is `MariaDB` or `MySQL`. */
export const oldAuthentication = (client: string): ServerError => ({
  code: 1251,
  sqlState: '08004',
  message: `Client does not support authentication protocol requested by server; consider upgrading ${client} client`,
})

export const readError: ServerError = {
  code: 1158,
  sqlState: '08S01',
  message: 'Got an error reading communication packets',
}

export const readTimeout: ServerError = {
  code: 1159,
  sqlState: '08S01',
  message: 'Got timeout reading communication packets',
}

export const characterSetRefused = (name: string): ServerError => ({
  code: 1231,
  sqlState: '42000',
  message: `Variable 'character_set_client' can't be set to the value of '${name}'`,
})

/** The most of a malformed text that a message repeats. */
const MAX_REPEATED = 64

/** `text` is latin1, one character a byte. */
export function malformedText(set: string, text: string): ServerError {
  const shown = text.replace(
    /[^\x20-\x7e]/g,
    (one) => `\\x${one.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
  const repeated = shown.length > MAX_REPEATED ? `${shown.slice(0, MAX_REPEATED - 3)}...` : shown
  return { code: 1300, sqlState: 'HY000', message: `Invalid ${set} character string: '${repeated}'` }
}

/** MariaDB's longest message, which ends with a whole character. */
const MAX_MESSAGE_BYTES = 511

const fitting = (message: string): string =>
  message.length <= MAX_MESSAGE_BYTES
    ? message
    : message.slice(0, MAX_MESSAGE_BYTES).replace(/\\[0-9A-F]{0,3}$/, '')

/** The message is latin1, one character a byte. */
export const errorPacket = (
  sequence: number,
  { code, sqlState, message }: ServerError,
  hasSqlState = true,
): Buffer =>
  packet(
    sequence,
    byte(0xff),
    u16(code),
    Buffer.from(`${hasSqlState ? `#${sqlState}` : ''}${fitting(message)}`, 'latin1'),
  )

/** `admin` is the program of the administrator. */
export const hostBlocked = (host: string, admin: string): ServerError => ({
  code: 1129,
  sqlState: 'HY000',
  message: `Host '${host}' is blocked because of many connection errors; unblock with '${admin} flush-hosts'`,
})
