// A web server with the pages of a skin.
import type { BirdSettings, Service } from '../../session/session.ts'
import { extraFields } from './protocol/extra-fields.ts'
import { webSession } from './servers.ts'
import { claimsOf, keptWhileSame, pagesOf } from './pages.ts'

const service: Service = {
  listeners(settings, folders) {
    if (settings['http.enabled'] !== true) return []
    const skin = pagesOf(settings, folders)
    const startSession = webSession({
      ...claimsOf(settings, skin),
      skin,
      headers: extraFields(settings, 'http'),
      redirectPort: redirectPort(settings),
    })
    const port = Number(settings['http.port'])
    return [{ instance: 'http', transport: 'tcp', port, startSession, ...keptWhileSame(settings) }]
  },
}

const redirectPort = (settings: BirdSettings): number | undefined =>
  settings['https.enabled'] === true && settings['https.redirect_http.enabled'] === true
    ? Number(settings['https.port'])
    : undefined

export default service
