// A web server with the pages of a skin.
import type { BirdSettings, Service } from '../../session.ts'
import { extraFields } from './extra-fields.ts'
import { httpSession } from './session.ts'
import { loadSkin } from './skin.ts'

const service: Service = {
  listeners(settings) {
    if (settings['http.enabled'] !== true) return []
    const startSession = httpSession({
      banner: String(settings['http.banner']),
      skin: loadSkin(String(settings['http.skin'])),
      headers: extraFields(settings, 'http'),
      redirectPort: redirectPort(settings),
    })
    return [{ instance: 'http', transport: 'tcp', port: Number(settings['http.port']), startSession }]
  },
}

const redirectPort = (settings: BirdSettings): number | undefined =>
  settings['https.enabled'] === true && settings['https.redirect_http.enabled'] === true
    ? Number(settings['https.port'])
    : undefined

export default service
