// A Windows file server with one share that everyone may read: Direct TCP, and NetBIOS over TCP and UDP.
import { STORY_SETTINGS } from '../../machine/story.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { BirdFolders, BirdSettings, Listener, Service } from '../../session/session.ts'
import { smbConfig } from './products/windows/config.ts'
import { descriptor } from './descriptor.ts'
import { sambaConfig } from './products/samba/config.ts'
import { nmbd } from './products/samba/name-service.ts'
import { sambaSession } from './products/samba/session.ts'
import { datagramService } from './products/windows/netbios/datagram-service.ts'
import { nameService } from './products/windows/netbios/name-service.ts'
import { smbSession } from './products/windows/session.ts'

const { settings } = descriptor

const service: Service = {
  listeners(given, folders) {
    if (given['smb.enabled'] !== true) return []
    const port = Number(given['smb.port'] ?? settings['smb.port'].default)
    const own = Object.fromEntries(
      Object.entries(settings).map(([key, { default: value }]) => [key, given[key] ?? value]),
    )
    const story = Object.fromEntries(STORY_SETTINGS.map((key) => [key, given[key]]))
    const machineSettings = { ...story, ...own }
    if (given['smb.mode'] === 'samba') return sambaListeners(port, machineSettings, folders)
    const config = smbConfig(machineSettings, folders?.share)
    const about = { instance: 'smb', ...keptWhileSame(machineSettings) }
    const [sessionService, names, datagrams] = descriptor.portsBesides
    return [
      { ...about, transport: 'tcp', port, startSession: sessionRunner(smbSession(config)) },
      { ...about, ...sessionService, startSession: sessionRunner(smbSession(config, 'netbios-closed')) },
      { ...about, ...names, startSession: sessionRunner(nameService(config.machine)) },
      { ...about, ...datagrams, startSession: sessionRunner(datagramService) },
    ]
  },
}

/** smbd takes both ports alike; a session of NetBIOS may be asked for on either. nmbd has the names. */
function sambaListeners(
  port: number,
  machineSettings: BirdSettings,
  folders: BirdFolders | undefined,
): Listener[] {
  const config = sambaConfig(machineSettings, folders?.share)
  const startSession = sessionRunner(sambaSession(config))
  const about = { instance: 'smb', ...keptWhileSame(machineSettings) }
  const [sessionService, names, datagrams] = descriptor.portsBesides
  return [
    { ...about, transport: 'tcp', port, startSession },
    { ...about, ...sessionService, startSession },
    { ...about, ...names, startSession: sessionRunner(nmbd(config.machine)) },
    { ...about, ...datagrams, startSession: sessionRunner(datagramService) },
  ]
}

/** Never where there are uploaded files: others may be uploaded under the same settings. */
function keptWhileSame(machineSettings: BirdSettings): Pick<Listener, 'dependsOn'> {
  const dependsOn = JSON.stringify(machineSettings)
  return dependsOn.includes('"uploaded":') ? {} : { dependsOn }
}

export default service
