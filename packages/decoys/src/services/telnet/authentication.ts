// The options for Kerberos and for ciphers (RFC 2941, 2942, 2946). telnetd offers both; without a key of its own it
// refuses every ticket, and Debian's build knows no cipher.
import type { Connection } from './connection.ts'
import { IS, OPTION, REPLY, SEND, subnegotiation } from './protocol.ts'

const KERBEROS_5 = 2
const ONE_WAY = 0
const MUTUAL = 2
const KERBEROS_AUTH = 0
const KERBEROS_REJECT = 1
/** libkrb5's word for bytes that are no ticket. */
const BAD_TICKET = 'krb5_rd_req failed: Invalid message type'

/** Asks for one of our methods, once. */
export function requestAuthentication(connection: Connection): void {
  if (connection.isAuthenticationAsked) return
  connection.isAuthenticationAsked = true
  const methods = [KERBEROS_5, MUTUAL, KERBEROS_5, ONE_WAY]
  connection.send += subnegotiation(OPTION.authentication, SEND, ...methods)
}

export function receiveAuthentication(connection: Connection, content: readonly number[]): void {
  const [qualifier, method, way = -1, step] = content
  if (qualifier !== IS || method !== KERBEROS_5 || step === undefined) return
  if (way !== MUTUAL && way !== ONE_WAY) return
  const reason = step === KERBEROS_AUTH ? BAD_TICKET : ''
  const reject = [REPLY, method, way, KERBEROS_REJECT, ...Buffer.from(reason)]
  connection.send += subnegotiation(OPTION.authentication, ...reject)
}

const SUPPORT = 1
const START = 3
const REQUEST_END = 6

/** Names our ciphers, once: none. */
export function offerCiphers(connection: Connection): void {
  if (connection.isEncryptionOffered) return
  connection.isEncryptionOffered = true
  connection.send += subnegotiation(OPTION.encryption, SUPPORT)
}

/** What is said to be encrypted cannot be: there is no key. */
export function receiveEncryption(connection: Connection, [subcommand]: readonly number[]): void {
  if (subcommand === START) connection.send += subnegotiation(OPTION.encryption, REQUEST_END)
}
