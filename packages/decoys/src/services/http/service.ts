// A web server with the pages of a skin.
import type { BirdSettings, Service } from '../../session/session.ts'
import { extraFields } from './extra-fields.ts'
import { keptWhileSame, pagesOf } from './pages.ts'
import { httpSession } from './session.ts'

const service: Service = {
  listeners(settings, folders) {
    if (settings['http.enabled'] !== true) return []
    const startSession = httpSession({
      banner: String(settings['http.banner']),
      skin: pagesOf(settings, folders),
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
