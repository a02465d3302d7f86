// TLS inside VeNCrypt: TigerVNC's TLSVnc is GnuTLS without certificates (anonymous Diffie-Hellman), which ends with TLS 1.2.
import { birdCertificate } from '../../own/certificate.ts'
import type { TlsProfile, TlsServer } from '../../tls-server.ts'

type Derive = (label: string, length: number) => Buffer

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
const SET_UP_AT = Date.UTC(2026, 0, 1)

/** The certificate is never sent: anonymous ciphers have none. */
export const anonymousTls = (derive: Derive): TlsServer => ({
  profile: PROFILE,
  certificate: birdCertificate(derive, {
    label: 'vnc',
    commonName: 'vnc',
    notBefore: SET_UP_AT,
  }),
  handshakeMs: HANDSHAKE_MS,
})
