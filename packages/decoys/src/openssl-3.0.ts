// TLS as a server of Debian 12 speaks it: OpenSSL 3.0.19 at its security level 2. Ours is OpenSSL 3.5, so what became a
// default since then, or stopped to be one, is named.
import { constants } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'

/** In OpenSSL's order. Later releases prefer X25519MLKEM768, which 3.0 does not know. */
const GROUPS = 'X25519:P-256:X448:P-521:P-384:ffdhe2048:ffdhe3072:ffdhe4096:ffdhe6144:ffdhe8192'
/** Without SHA-1 and ML-DSA. */
const SIGNATURE_ALGORITHMS = [
  'ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA512:ed25519:ed448',
  'rsa_pss_pss_sha256:rsa_pss_pss_sha384:rsa_pss_pss_sha512',
  'rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512',
  'RSA+SHA256:RSA+SHA384:RSA+SHA512:ECDSA+SHA224:RSA+SHA224',
].join(':')

export interface OpenSslOptions {
  /** The cipher list of the server's configuration, such as `HIGH:!aNULL`. */
  readonly ciphers: string
  readonly hasTickets: boolean
  /** The server chooses the cipher. */
  readonly prefersOwnCiphers?: boolean
  /** Parameters of Diffie-Hellman are made to fit the key. */
  readonly hasDiffieHellman?: boolean
}

/** Options for clients of TLS 1.2 and 1.3, and for older ones, which this level refuses. */
export function openSsl30({
  ciphers,
  hasTickets,
  prefersOwnCiphers = false,
  hasDiffieHellman = false,
}: OpenSslOptions): { readonly options: SecureContextOptions; readonly oldClients: SecureContextOptions } {
  const shared: SecureContextOptions = {
    ecdhCurve: GROUPS,
    sigalgs: SIGNATURE_ALGORITHMS,
    honorCipherOrder: prefersOwnCiphers,
    secureOptions:
      constants.SSL_OP_NO_RENEGOTIATION |
      (hasTickets ? 0 : constants.SSL_OP_NO_TICKET) |
      (prefersOwnCiphers ? constants.SSL_OP_CIPHER_SERVER_PREFERENCE : 0),
    ...(hasDiffieHellman && { dhparam: 'auto' }),
  }
  const tls13 = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256'
  return {
    // Level 0: since 3.2 the higher ones refuse CCM with a tag of 8 bytes.
    options: { ...shared, minVersion: 'TLSv1.2', ciphers: `${tls13}:${ciphers}:@SECLEVEL=0` },
    oldClients: { ...shared, minVersion: 'TLSv1', ciphers: `${tls13}:${ciphers}:@SECLEVEL=2` },
  }
}
