// The web server of `http`, over TLS: the same pages, another port.
import type { Service } from '../../session/session.ts'
import { extraFields } from '../http/protocol/extra-fields.ts'
import { claimsOf, keptWhileSame, pagesOf } from '../http/pages.ts'
import { webSession } from '../http/servers.ts'
import { webTls } from './tls.ts'

const service: Service = {
  listeners(settings, folders) {
    if (settings['https.enabled'] !== true) return []
    const skin = pagesOf(settings, folders)
    const startSession = webSession({
      ...claimsOf(settings, skin),
      skin,
      headers: extraFields(settings, 'https'),
      tls: (context) => webTls(skin, settings, context),
    })
    const port = Number(settings['https.port'])
    return [{ instance: 'https', transport: 'tcp', port, startSession, ...keptWhileSame(settings) }]
  },
}

export default service
