// TLS inside VeNCrypt: TigerVNC's TLSVnc is GnuTLS without certificates (anonymous Diffie-Hellman), which ends with TLS 1.2.
import type { Certificate } from '../../own/certificate.ts'
import type { TlsProfile, TlsServer } from '../../tls-server.ts'

const PROFILE: TlsProfile = {
  name: 'tigervnc-anonymous',
  options: {
    ciphers: 'AECDH:ADH:@SECLEVEL=0',
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.2',
    ecdhCurve: 'P-256:P-384:P-521:X25519',
    dhparam: 'auto',
  },
  sessionSeconds: 0,
}
const HANDSHAKE_MS = 300_000

/** Anonymous ciphers have none. */
const NONE: Certificate = { key: '', cert: '' }

export const anonymousTls: TlsServer = { profile: PROFILE, certificate: NONE, handshakeMs: HANDSHAKE_MS }
