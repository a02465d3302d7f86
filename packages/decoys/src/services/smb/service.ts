// A Windows file server with one share that everyone may read: Direct TCP, and NetBIOS over TCP and UDP.
import { STORY_SETTINGS } from '../../machine/story.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { BirdSettings, Listener, Service } from '../../session/session.ts'
import { smbConfig } from './products/windows/config.ts'
import { descriptor } from './descriptor.ts'
import { sambaConfig } from './products/samba/config.ts'
import { nmbd } from './products/samba/name-service.ts'
import { sambaSession } from './products/samba/session.ts'
import { datagramService } from './protocol/netbios/datagrams.ts'
import { nameService } from './products/windows/netbios/name-service.ts'
import { smbSession } from './products/windows/session.ts'

const { settings: described } = descriptor

const service: Service = {
  listeners(given, folders) {
    if (given['smb.enabled'] !== true) return []
    const port = Number(given['smb.port'] ?? described['smb.port'].default)
    const own = Object.fromEntries(
      Object.entries(described).map(([key, { default: value }]) => [key, given[key] ?? value]),
    )
    const story = Object.fromEntries(STORY_SETTINGS.map((key) => [key, given[key]]))
    const machineSettings = { ...story, ...own }
    const { direct, netbios, names } = (given['smb.mode'] === 'samba' ? samba : windows)(
      machineSettings,
      folders?.share,
    )
    const about = { instance: 'smb', ...keptWhileSame(machineSettings) }
    const [sessionService, nameAsked, datagrams] = descriptor.portsBesides
    return [
      { ...about, transport: 'tcp', port, startSession: direct },
      { ...about, ...sessionService, startSession: netbios },
      { ...about, ...nameAsked, startSession: names },
      { ...about, ...datagrams, startSession: sessionRunner(datagramService) },
    ]
  },
}

function windows(settings: BirdSettings, share: string | undefined) {
  const config = smbConfig(settings, share)
  return {
    direct: sessionRunner(smbSession(config)),
    netbios: sessionRunner(smbSession(config, 'netbios-closed')),
    names: sessionRunner(nameService(config.machine)),
  }
}

/** smbd takes both ports alike; a session of NetBIOS may be asked for on either. nmbd has the names. */
function samba(settings: BirdSettings, share: string | undefined) {
  const config = sambaConfig(settings, share)
  const direct = sessionRunner(sambaSession(config))
  return { direct, netbios: direct, names: sessionRunner(nmbd(config.machine)) }
}

/** Never where there are uploaded files: others may be uploaded under the same settings. */
function keptWhileSame(machineSettings: BirdSettings): Pick<Listener, 'dependsOn'> {
  const dependsOn = JSON.stringify(machineSettings)
  return dependsOn.includes('"uploaded":') ? {} : { dependsOn }
}

export default service
