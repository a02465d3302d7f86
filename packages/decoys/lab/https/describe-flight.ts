// What a server's first flight says, without what is random in it: keys, nonces, names and dates of the certificate.

import { X509Certificate } from 'node:crypto'
import type { Mask } from '../../test/fresh.ts'

const ALERT = 21
const HANDSHAKE = 22
const SERVER_HELLO = 2
const SERVER_KEY_EXCHANGE = 12
const CERTIFICATE = 11
const CERTIFICATE_REQUEST = 13
const KEY_SHARE = 51
/** The random of a HelloRetryRequest (RFC 8446, 4.1.3). */
const RETRY = 'cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c'

/** One line a record or handshake message; anything but TLS as it is. */
export function describeFlight(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  const lines: string[] = []
  let at = 0
  let messages = Buffer.alloc(0)
  while (at + 5 <= bytes.length && isRecord(bytes, at)) {
    const length = bytes.readUInt16BE(at + 3)
    const content = bytes.subarray(at + 5, at + 5 + length)
    if (content.length < length) break
    const type = bytes[at]!
    if (type === HANDSHAKE) messages = Buffer.concat([messages, content])
    else {
      lines.push(...describeMessages(messages))
      messages = Buffer.alloc(0)
      const isEncrypted = type !== ALERT || length > 2
      lines.push(
        `record ${type} ${bytes.subarray(at + 1, at + 3).toString('hex')}${isEncrypted ? '' : ` ${content.toString('hex')}`}`,
      )
    }
    at += 5 + length
  }
  lines.push(...describeMessages(messages))
  return [...lines, bytes.subarray(at).toString('latin1')].join('\n')
}

export const FLIGHT_MASK: Mask = {
  name: 'keys and nonces of a handshake, names and dates of its certificate',
  hide: describeFlight,
}

const isRecord = (bytes: Buffer, at: number): boolean =>
  bytes[at]! >= 20 && bytes[at]! <= 24 && (bytes[at + 1] === 3 || bytes[at + 1] === 2)

function describeMessages(bytes: Buffer): string[] {
  const lines: string[] = []
  for (let at = 0; at + 4 <= bytes.length; at += 4 + bytes.readUIntBE(at + 1, 3)) {
    const type = bytes[at]!
    const content = bytes.subarray(at + 4, at + 4 + bytes.readUIntBE(at + 1, 3))
    if (type === SERVER_HELLO) lines.push(serverHello(content))
    else if (type === SERVER_KEY_EXCHANGE) lines.push(`key exchange ${keyExchange(content)}`)
    else if (type === CERTIFICATE) lines.push(`certificates ${certificates(content)}`)
    else if (type === CERTIFICATE_REQUEST) lines.push(`certificate request ${content.toString('hex')}`)
    else lines.push(`message ${type}`)
  }
  return lines
}

function serverHello(content: Buffer): string {
  const isRetry = content.subarray(2, 34).toString('hex') === RETRY
  const idLength = content[34] ?? 0
  const rest = content.subarray(35 + idLength)
  const cipher = rest.subarray(0, 2).toString('hex')
  const extensions: string[] = []
  for (let at = 5; at + 4 <= rest.length; at += 4 + rest.readUInt16BE(at + 2)) {
    const type = rest.readUInt16BE(at)
    const value = rest.subarray(at + 4, at + 4 + rest.readUInt16BE(at + 2))
    extensions.push(`${type}=${(type === KEY_SHARE ? value.subarray(0, 2) : value).toString('hex')}`)
  }
  return `${isRetry ? 'retry' : 'hello'} ${content.subarray(0, 2).toString('hex')} id ${idLength} cipher ${cipher} [${extensions.join(' ')}]`
}

/** Of each in the chain the kind and size of its key; names, dates and the key itself are those of a machine. */
function certificates(content: Buffer): string {
  const shown: string[] = []
  for (let at = 3; at + 3 <= content.length; at += 3 + content.readUIntBE(at, 3)) {
    const { publicKey } = new X509Certificate(content.subarray(at + 3, at + 3 + content.readUIntBE(at, 3)))
    shown.push(`${publicKey.asymmetricKeyType} ${publicKey.asymmetricKeyDetails?.modulusLength}`)
  }
  return shown.join(', ')
}

/** Named curve and signature algorithm, or the sizes of Diffie-Hellman. */
function keyExchange(content: Buffer): string {
  if (content[0] === 3) {
    const end = 4 + content[3]!
    return `${content.subarray(0, 4).toString('hex')} signed ${content.subarray(end, end + 2).toString('hex')}`
  }
  const primeLength = content.readUInt16BE(0)
  return `prime ${content.subarray(2, 2 + primeLength).toString('hex')}`
}
