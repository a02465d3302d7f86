// How the claimed web server speaks TLS, and the certificate that its Bird shows.
import { birdCertificate } from '../../own/certificate.ts'
import { machineName } from '../../own/machine-name.ts'
import type { TlsServer } from '../../tls-server.ts'
import { servers } from '../http/servers/servers.ts'
import type { Skin } from '../http/skin.ts'

type Derive = (label: string, length: number) => Buffer

const DAY_MS = 86_400_000
/** The machine was set up within a year before its pages were changed last. */
const MOST_DAYS = 365

export function webTls({ server, modifiedAt, machine }: Skin, derive: Derive): TlsServer {
  const { profile, handshakeMs, readsOn } = servers[server].tls
  const certificate = birdCertificate(derive, {
    label: 'https',
    commonName: machineName(machine, derive),
    notBefore: setUpAt(modifiedAt, derive),
  })
  return { profile, certificate, handshakeMs, ...(readsOn && { readsOn }) }
}

/** To the second, as a certificate names it. */
function setUpAt(modifiedAt: number, derive: Derive): number {
  const before = derive('https/certificate/set-up', 4).readUInt32BE() % ((MOST_DAYS * DAY_MS) / 1_000)
  return modifiedAt - before * 1_000
}
