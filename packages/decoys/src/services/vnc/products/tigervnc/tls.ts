// TLS inside VeNCrypt: TigerVNC's TLSVnc is GnuTLS without certificates (anonymous Diffie-Hellman), which ends with TLS 1.2.
import { constants } from 'node:crypto'
import type { ClientHello } from '../../../../host/tls/client-hello.ts'
import type { Certificate } from '../../../../machine/certificate.ts'
import type { TlsProfile, TlsServer } from '../../../../session/tls-server.ts'

/** GnuTLS takes up TLS 1.3 with a client that offers it, and then has no certificate: both libraries fail there. */
const TLS_1_3_SUITES = 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256'

// Suites of GnuTLS's priorities, by their numbers at IANA.
const ANONYMOUS_ECDH: readonly number[] = [0xc018, 0xc019]
const ANONYMOUS_DH: readonly number[] = [0x34, 0x3a, 0xa6, 0xa7]
/** With RSA or ECDSA. */
const CERTIFIED: readonly number[] = [0x2f, 0x35, 0xc009, 0xc00a, 0xc013, 0xc014]
const CERTIFIED_TLS_1_2: readonly number[] = [
  0x9c, 0x9d, 0xc02b, 0xc02c, 0xc02f, 0xc030, 0xc09c, 0xc09d, 0xc0ac, 0xc0ad, 0xcca8, 0xcca9,
]
const CERTIFIED_DH: readonly number[] = [0x33, 0x39]
const CERTIFIED_DH_TLS_1_2: readonly number[] = [0x9e, 0x9f, 0xc09e, 0xc09f, 0xccaa]
const TLS_1_2 = 0x0303
/** ffdhe2048 to ffdhe8192 (RFC 7919): GnuTLS uses Diffie-Hellman with clients that name one. */
const [FFDHE_FIRST, FFDHE_LAST] = [0x100, 0x104]

const PROFILE: TlsProfile = {
  name: 'tigervnc-anonymous',
  options: {
    ciphers: `${TLS_1_3_SUITES}:AECDH-AES128-SHA:AECDH-AES256-SHA:@SECLEVEL=0`,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.3',
    ecdhCurve: 'P-256:P-384:P-521:X25519:X448',
    secureOptions: constants.SSL_OP_NO_TICKET,
  },
  refuses: wantsCertificate,
  failsBy: 'close_notify',
  sessionSeconds: 0,
}

/** GnuTLS takes the first suite of the client that it knows, and fails if that needs a certificate. */
export function wantsCertificate({ version, ciphers, groups }: ClientHello): boolean {
  const isNew = version >= TLS_1_2
  const hasDh = groups.some((group) => group >= FFDHE_FIRST && group <= FFDHE_LAST)
  const withCertificate = [
    ...CERTIFIED,
    ...(isNew ? CERTIFIED_TLS_1_2 : []),
    ...(hasDh ? CERTIFIED_DH : []),
    ...(hasDh && isNew ? CERTIFIED_DH_TLS_1_2 : []),
  ]
  const known = [...withCertificate, ...ANONYMOUS_ECDH, ...(hasDh ? ANONYMOUS_DH : [])]
  const chosen = ciphers.find((cipher) => known.includes(cipher))
  return chosen !== undefined && withCertificate.includes(chosen)
}

const HANDSHAKE_MS = 300_000

/** Anonymous ciphers have none. */
const NONE: Certificate = { key: '', cert: '' }

export const anonymousTls: TlsServer = { profile: PROFILE, certificate: NONE, handshakeMs: HANDSHAKE_MS }
