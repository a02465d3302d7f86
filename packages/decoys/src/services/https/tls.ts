// How the claimed web server speaks TLS, and the certificate that its Bird shows.
import { machineCertificate } from '../../own/machine-certificate.ts'
import { storyOf } from '../../own/story.ts'
import type { BirdSettings, SessionContext } from '../../session.ts'
import type { TlsServer } from '../../tls-server.ts'
import { servers } from '../http/servers/servers.ts'
import type { Skin } from '../http/skin.ts'

export function webTls(
  { server }: Skin,
  settings: BirdSettings,
  { derive, now, dst }: Pick<SessionContext, 'derive' | 'now' | 'dst'>,
): TlsServer {
  const { profile, handshakeMs, readsOn } = servers[server].tls
  const certificate = machineCertificate(storyOf(settings, derive), derive, now())
  return { profile, certificate, ownName: dst.host, handshakeMs, ...(readsOn && { readsOn }) }
}
