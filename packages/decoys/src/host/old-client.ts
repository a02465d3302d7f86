// Clients of TLS 1.0 and 1.1: OpenSSL 3.0 refuses them at its security level, but later in the handshake than OpenSSL 3.5.
import type { ClientHello } from './client-hello.ts'

const TLS_1_0 = 0x0301
const TLS_1_1 = 0x0302
/** "I could do better" (RFC 7507). */
const FALLBACK_SCSV = 0x5600
const HANDSHAKE_FAILURE = 40
const INTERNAL_ERROR = 80
const INAPPROPRIATE_FALLBACK = 86

/** The fatal alert for such a client; undefined for any other. `ciphers` are those that the server would take. */
export function refusalOfOldClient(hello: ClientHello, ciphers: readonly number[]): Buffer | undefined {
  const { version } = hello
  if (version !== TLS_1_0 && version !== TLS_1_1) return undefined
  return Buffer.from([21, version >> 8, version & 0xff, 0, 2, 2, reason(hello, ciphers)])
}

function reason(hello: ClientHello, ciphers: readonly number[]): number {
  if (hello.ciphers.includes(FALLBACK_SCSV)) return INAPPROPRIATE_FALLBACK
  return hello.ciphers.some((cipher) => ciphers.includes(cipher)) ? INTERNAL_ERROR : HANDSHAKE_FAILURE
}
