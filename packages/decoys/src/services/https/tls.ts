// How the claimed web server speaks TLS, and the certificate that its Bird shows.
import { openSsl30 } from '../../openssl-3.0.ts'
import { birdCertificate } from '../../own/certificate.ts'
import { machineName } from '../../own/machine-name.ts'
import type { TlsProfile, TlsServer } from '../../tls-server.ts'
import type { Skin } from '../http/skin.ts'

type Derive = (label: string, length: number) => Buffer

/** Debian's mod_ssl: `SSLCipherSuite HIGH:!aNULL`, `SSLSessionTickets off`, sessions of 300 s in shared memory. */
const APACHE: TlsProfile = {
  name: 'apache-2.4',
  ...openSsl30({ hasTickets: false, hasDiffieHellman: true }),
  alpn: { protocol: 'http/1.1', otherwise: 'insist' },
  sessionSeconds: 300,
}

/** Apache's Timeout. It has no limit of its own for a handshake that goes on by drops. */
const HANDSHAKE_MS = 300_000
const DAY_MS = 86_400_000
/** The machine was set up within a year before its pages were changed last. */
const MOST_DAYS = 365

export const webTls = ({ modifiedAt, machine }: Skin, derive: Derive): TlsServer => ({
  profile: APACHE,
  certificate: birdCertificate(derive, {
    label: 'https',
    commonName: machineName(machine, derive),
    notBefore: setUpAt(modifiedAt, derive),
  }),
  handshakeMs: HANDSHAKE_MS,
})

/** To the second, as a certificate names it. */
function setUpAt(modifiedAt: number, derive: Derive): number {
  const before = derive('https/certificate/set-up', 4).readUInt32BE() % ((MOST_DAYS * DAY_MS) / 1_000)
  return modifiedAt - before * 1_000
}
