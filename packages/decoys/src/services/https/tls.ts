// How the claimed web server speaks TLS, and the certificate that its Bird shows.
import { machineCertificate } from '../../machine/machine-certificate.ts'
import { storyOf } from '../../machine/story.ts'
import type { BirdSettings, SessionContext } from '../../session/session.ts'
import type { Certificate } from '../../machine/certificate.ts'
import type { TlsServer } from '../../session/tls-server.ts'
import { servers } from '../http/servers.ts'
import type { Skin } from '../http/protocol/skin.ts'

export function webTls(
  { server }: Skin,
  settings: BirdSettings,
  { derive, now, dst }: Pick<SessionContext, 'derive' | 'now' | 'dst'>,
): TlsServer {
  const { profile, handshakeMs, readsOn } = servers[server].tls
  const certificate =
    ownersCertificate(settings) ?? machineCertificate(storyOf(settings, derive), derive, now())
  return { profile, certificate, ownName: dst.host, handshakeMs, ...(readsOn && { readsOn }) }
}

/** The same object for the same settings: TLS contexts are made once for each. */
const ofOwners = new WeakMap<BirdSettings, Certificate>()

/** That of the owner's own; undefined where they gave none. */
function ownersCertificate(settings: BirdSettings): Certificate | undefined {
  const [cert, key] = [settings['https.certificate'], settings['https.key']]
  if (typeof cert !== 'string' || typeof key !== 'string' || cert === '' || key === '') return undefined
  const known = ofOwners.get(settings) ?? { cert, key }
  ofOwners.set(settings, known)
  return known
}
