// Clients of TLS 1.0 and 1.1: OpenSSL 3.0 refuses them at its security level, but later in the handshake than OpenSSL 3.5.
import type { ClientHello } from './client-hello.ts'

const TLS_1_0 = 0x0301
const TLS_1_1 = 0x0302
/** "I could do better" (RFC 7507). */
const FALLBACK_SCSV = 0x5600
const HANDSHAKE_FAILURE = 40
const DECODE_ERROR = 50
const INTERNAL_ERROR = 80
const INAPPROPRIATE_FALLBACK = 86

/** P-256, P-384, P-521, X25519, X448. */
const CURVES: readonly number[] = [0x17, 0x18, 0x19, 0x1d, 0x1e]
/** ECDHE with RSA: it needs a common curve. */
const isEphemeral = (cipher: number): boolean => cipher >> 8 === 0xc0

/** The fatal alert for such a client; undefined for any other. `ciphers` are those that the server would take. */
export function refusalOfOldClient(hello: ClientHello, ciphers: readonly number[]): Buffer | undefined {
  const { version } = hello
  if (version !== TLS_1_0 && version !== TLS_1_1) return undefined
  return Buffer.from([21, version >> 8, version & 0xff, 0, 2, 2, reason(hello, ciphers)])
}

function reason(hello: ClientHello, ciphers: readonly number[]): number {
  const hasCurve = hello.groups.some((group) => CURVES.includes(group))
  const isShared = (cipher: number): boolean => ciphers.includes(cipher) && (hasCurve || !isEphemeral(cipher))
  if (hello.ciphers.includes(FALLBACK_SCSV)) return INAPPROPRIATE_FALLBACK
  if (hello.protocols === 'malformed') return DECODE_ERROR
  return hello.ciphers.some(isShared) ? INTERNAL_ERROR : HANDSHAKE_FAILURE
}
