// TigerVNC 1.12 with a password that nobody knows.
import { machineKind } from '../../own/machine-kind.ts'
import type { BirdSettings, Service } from '../../session.ts'
import { blacklist } from './blacklist.ts'
import { vncSession } from './session.ts'
import type { Platform } from './server.ts'

const platformOf = (settings: BirdSettings): Platform =>
  machineKind(settings).startsWith('windows') ? 'windows' : 'debian'

const service: Service = {
  listeners(settings) {
    if (settings['vnc.enabled'] !== true) return []
    const platform = platformOf(settings)
    return [
      {
        instance: 'vnc',
        transport: 'tcp',
        port: Number(settings['vnc.port']),
        startSession: vncSession(platform),
        crowd: blacklist(),
        dependsOn: platform,
      },
    ]
  },
}

export default service
