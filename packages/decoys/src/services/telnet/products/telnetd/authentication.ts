// The options for Kerberos and for ciphers (RFC 2941, 2942, 2946). telnetd offers both; without a key of its own it
// refuses every ticket, and Debian's build knows no cipher.
import type { Connection } from './connection.ts'
import { IS, OPTION, REPLY, SEND, subnegotiation } from '../../protocol/commands.ts'

const KERBEROS_5 = 2
const ONE_WAY = 0
const MUTUAL = 2
const KERBEROS_AUTH = 0
const KERBEROS_REJECT = 1
const KERBEROS_FORWARD = 4
/** AP-REQ is [APPLICATION 14] (RFC 4120, 5.5.1); libkrb5 looks at the class and the number first. */
const TICKET_TAGS: ReadonlySet<number> = new Set([0x4e, 0x6e])

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
  // Forwarded credentials have no context without a ticket: telnetd says nothing.
  if ((way !== MUTUAL && way !== ONE_WAY) || step === KERBEROS_FORWARD) return
  const reason = step === KERBEROS_AUTH ? `krb5_rd_req failed: ${flawOf(content.slice(4))}` : ''
  const reject = [REPLY, method, way, KERBEROS_REJECT, ...Buffer.from(reason)]
  connection.send += subnegotiation(OPTION.authentication, ...reject)
}

/** libkrb5's word for bytes that are no ticket. */
function flawOf(ticket: readonly number[]): string {
  if (!TICKET_TAGS.has(ticket[0] ?? 0)) return 'Invalid message type'
  const content = contentOf(ticket)
  return content && contentOf(content)
    ? "ASN.1 identifier doesn't match expected value"
    : 'ASN.1 encoding ended unexpectedly'
}

/** What a value holds (X.690, 8.1); undefined where it ends too soon. */
function contentOf([, first, ...rest]: readonly number[]): readonly number[] | undefined {
  if (first === undefined) return undefined
  const isShort = first < 0x80
  const from = isShort ? 0 : first & 0x7f
  const length = isShort ? first : rest.slice(0, from).reduce((sum, byte) => sum * 256 + byte, 0)
  return from + length > rest.length ? undefined : rest.slice(from, from + length)
}

const SUPPORT = 1
const START = 3
const REQUEST_END = 6
const ENCRYPTION_KEY = 7
const DECRYPTION_KEY = 8

/** Names our ciphers, once: none. */
export function offerCiphers(connection: Connection): void {
  if (connection.isEncryptionOffered) return
  connection.isEncryptionOffered = true
  connection.send += subnegotiation(OPTION.encryption, SUPPORT)
}

/** What is said to be encrypted cannot be: there is no key. */
export function receiveEncryption(connection: Connection, [subcommand, ...rest]: readonly number[]): void {
  const answer = (code: number): void => void (connection.send += subnegotiation(OPTION.encryption, code))
  if (subcommand === START) answer(REQUEST_END)
  // The answer to the name of a key is an empty name.
  else if (subcommand === ENCRYPTION_KEY && rest.length > 0) answer(DECRYPTION_KEY)
  else if (subcommand === DECRYPTION_KEY && rest.length > 0) answer(ENCRYPTION_KEY)
}
