// Apache with the login page of a device.
import type { Service } from '../../session.ts'
import { httpSession } from './session.ts'
import { loadSkin } from './skin.ts'

const service: Service = {
  listeners(settings) {
    if (settings['http.enabled'] !== true) return []
    const headers = settings['http.headers.enabled'] === true ? settings['http.headers'] : undefined
    const startSession = httpSession({
      banner: String(settings['http.banner']),
      skin: loadSkin(String(settings['http.skin'])),
      headers: Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]),
      ),
    })
    return [{ instance: 'http', transport: 'tcp', port: Number(settings['http.port']), startSession }]
  },
}

export default service
