// TigerVNC 1.12 of Debian 12 with a password that nobody knows.
import type { Service, SessionRunner } from '../../session.ts'
import { blacklist } from './blacklist.ts'
import { vncSession } from './session.ts'
import { anonymousTls } from './tls.ts'

export const openVnc = (): SessionRunner => vncSession(({ derive }) => anonymousTls(derive))

const service: Service = {
  listeners(settings) {
    if (settings['vnc.enabled'] !== true) return []
    const port = Number(settings['vnc.port'])
    return [
      {
        instance: 'vnc',
        transport: 'tcp',
        port,
        startSession: openVnc(),
        crowd: blacklist(),
        dependsOn: 'vnc',
      },
    ]
  },
}

export default service
