// TLS as a server of Debian 12 speaks it: OpenSSL 3.0.19 at its security level 2, with a certificate of RSA. Ours is
// OpenSSL 3.5, so what became a default since then, or stopped to be one, is named.
import { constants } from 'node:crypto'
import type { TlsProfile } from '../session/tls-server.ts'

/** `HIGH:!aNULL` as far as it needs no other certificate than RSA. Later releases leave CCM8 out. */
const CIPHERS = `
  ECDHE-RSA-AES256-GCM-SHA384 DHE-RSA-AES256-GCM-SHA384 ECDHE-RSA-CHACHA20-POLY1305 DHE-RSA-CHACHA20-POLY1305
  DHE-RSA-AES256-CCM8 DHE-RSA-AES256-CCM ECDHE-ARIA256-GCM-SHA384 DHE-RSA-ARIA256-GCM-SHA384
  ECDHE-RSA-AES128-GCM-SHA256 DHE-RSA-AES128-GCM-SHA256 DHE-RSA-AES128-CCM8 DHE-RSA-AES128-CCM
  ECDHE-ARIA128-GCM-SHA256 DHE-RSA-ARIA128-GCM-SHA256 ECDHE-RSA-AES256-SHA384 DHE-RSA-AES256-SHA256
  ECDHE-RSA-CAMELLIA256-SHA384 DHE-RSA-CAMELLIA256-SHA256 ECDHE-RSA-AES128-SHA256 DHE-RSA-AES128-SHA256
  ECDHE-RSA-CAMELLIA128-SHA256 DHE-RSA-CAMELLIA128-SHA256 ECDHE-RSA-AES256-SHA DHE-RSA-AES256-SHA
  DHE-RSA-CAMELLIA256-SHA ECDHE-RSA-AES128-SHA DHE-RSA-AES128-SHA DHE-RSA-CAMELLIA128-SHA AES256-GCM-SHA384
  AES256-CCM8 AES256-CCM ARIA256-GCM-SHA384 AES128-GCM-SHA256 AES128-CCM8 AES128-CCM ARIA128-GCM-SHA256
  AES256-SHA256 CAMELLIA256-SHA256 AES128-SHA256 CAMELLIA128-SHA256 AES256-SHA CAMELLIA256-SHA AES128-SHA
  CAMELLIA128-SHA
`
  .trim()
  .split(/\s+/)
const TLS13 = ['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256']

/** By their numbers at IANA, in OpenSSL's order. Later releases prefer X25519MLKEM768, which 3.0 does not know. */
const GROUPS: ReadonlyMap<number, string> = new Map([
  [0x1d, 'X25519'],
  [0x17, 'P-256'],
  [0x1e, 'X448'],
  [0x19, 'P-521'],
  [0x18, 'P-384'],
  [0x100, 'ffdhe2048'],
  [0x101, 'ffdhe3072'],
  [0x102, 'ffdhe4096'],
  [0x103, 'ffdhe6144'],
  [0x104, 'ffdhe8192'],
])
/** Without SHA-1 and ML-DSA. */
const SIGNATURE_ALGORITHMS = [
  'ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:ed25519:ed448',
  'rsa_pss_pss_sha256:rsa_pss_pss_sha384:rsa_pss_pss_sha512',
  'rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512',
  'RSA+SHA256:RSA+SHA384:RSA+SHA512:ECDSA+SHA224:RSA+SHA224',
  'DSA+SHA224:DSA+SHA256:DSA+SHA384:DSA+SHA512',
].join(':')

/** By their numbers at IANA: AES and Camellia with SHA-1 and RSA, DHE or ECDHE. */
const OLD_CIPHERS = [0x2f, 0x35, 0x41, 0x84, 0xc013, 0xc014]
const OLD_DIFFIE_HELLMAN_CIPHERS = [0x33, 0x39, 0x45, 0x88]

/** Not among OpenSSL's defaults. */
const RARE = /CCM|ARIA|CAMELLIA/

export interface OpenSslOptions {
  readonly hasTickets: boolean
  /** `high`: as with `HIGH:!aNULL`; else the library's defaults, or those of TLS 1.2 that are named. */
  readonly ciphers?: 'high' | 'default' | readonly string[]
  /** The server chooses the cipher. */
  readonly prefersOwnCiphers?: boolean
  /** Parameters of Diffie-Hellman are made to fit the key. */
  readonly hasDiffieHellman?: boolean
}

export function openSsl30({
  hasTickets,
  ciphers: choice = 'high',
  prefersOwnCiphers = false,
  hasDiffieHellman = false,
}: OpenSslOptions): Pick<TlsProfile, 'options' | 'retryGroups' | 'oldCiphers'> {
  const isChosen = (name: string): boolean =>
    typeof choice === 'object'
      ? choice.includes(name)
      : (hasDiffieHellman || !name.startsWith('DHE-')) && (choice === 'high' || !RARE.test(name))
  const ciphers = CIPHERS.filter(isChosen)
  return {
    options: {
      // At a higher level, later releases refuse authentication tags of 8 bytes.
      ciphers: [...TLS13, ...ciphers, '@SECLEVEL=0'].join(':'),
      minVersion: 'TLSv1.2',
      ecdhCurve: [...GROUPS.values()].join(':'),
      sigalgs: SIGNATURE_ALGORITHMS,
      honorCipherOrder: prefersOwnCiphers,
      secureOptions:
        constants.SSL_OP_NO_RENEGOTIATION |
        (hasTickets ? 0 : constants.SSL_OP_NO_TICKET) |
        (prefersOwnCiphers ? constants.SSL_OP_CIPHER_SERVER_PREFERENCE : 0),
      ...(hasDiffieHellman && { dhparam: 'auto' }),
    },
    retryGroups: GROUPS,
    oldCiphers: [...OLD_CIPHERS, ...(hasDiffieHellman ? OLD_DIFFIE_HELLMAN_CIPHERS : [])],
  }
}
