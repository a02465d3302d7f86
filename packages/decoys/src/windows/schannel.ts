// TLS as Windows Server 2019 (build 17763) speaks it with a certificate of RSA: Schannel has no TLS 1.3 there.
import { constants } from 'node:crypto'
import type { TlsProfile } from '../session/tls-server.ts'

/** Schannel's order without what needs another certificate than RSA; OpenSSL 3.5 has no 3DES. */
const CIPHERS = `
  ECDHE-RSA-AES256-GCM-SHA384 ECDHE-RSA-AES128-GCM-SHA256 DHE-RSA-AES256-GCM-SHA384 DHE-RSA-AES128-GCM-SHA256
  ECDHE-RSA-AES256-SHA384 ECDHE-RSA-AES128-SHA256 ECDHE-RSA-AES256-SHA ECDHE-RSA-AES128-SHA AES256-GCM-SHA384
  AES128-GCM-SHA256 AES256-SHA256 AES128-SHA256 AES256-SHA AES128-SHA
`
  .trim()
  .split(/\s+/)

export const schannel: TlsProfile = {
  name: 'schannel-17763',
  options: {
    // Clients of TLS 1.0 and keys of 1,024 bits need the lowest level.
    ciphers: [...CIPHERS, '@SECLEVEL=0'].join(':'),
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.2',
    ecdhCurve: 'X25519:P-256:P-384',
    sigalgs: 'RSA+SHA256:RSA+SHA384:RSA+SHA1:RSA+SHA512',
    honorCipherOrder: true,
    dhparam: 'auto',
    secureOptions:
      constants.SSL_OP_NO_RENEGOTIATION |
      constants.SSL_OP_NO_TICKET |
      constants.SSL_OP_CIPHER_SERVER_PREFERENCE,
  },
  // Schannel keeps a session for ten hours.
  sessionSeconds: 36_000,
}
