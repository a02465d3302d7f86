// TigerVNC 1.12, or TightVNC 1.3.10, with a password that nobody knows.
import { machineKind } from '../../machine/machine-kind.ts'
import type { BirdSettings, Listener, Service } from '../../session/session.ts'
import { blacklist } from './products/tigervnc/blacklist.ts'
import { attemptsBySource } from './products/tightvnc/attempts.ts'
import { tightSession } from './products/tightvnc/session.ts'
import { vncSession } from './products/tigervnc/session.ts'
import type { Platform } from './products/tigervnc/profile.ts'

const platformOf = (settings: BirdSettings): Platform =>
  machineKind(settings).startsWith('windows') ? 'windows' : 'debian'

/** What depends on the server that it claims to be. */
function productOf(settings: BirdSettings): Pick<Listener, 'startSession' | 'crowd' | 'dependsOn'> {
  if (settings['vnc.version'] === 'tightvnc-1.3.10')
    return { startSession: tightSession(attemptsBySource()), dependsOn: 'tightvnc' }
  const platform = platformOf(settings)
  return { startSession: vncSession(platform), crowd: blacklist(), dependsOn: platform }
}

const service: Service = {
  listeners(settings) {
    if (settings['vnc.enabled'] !== true) return []
    const port = Number(settings['vnc.port'])
    return [{ instance: 'vnc', transport: 'tcp', port, ...productOf(settings) }]
  },
}

export default service
