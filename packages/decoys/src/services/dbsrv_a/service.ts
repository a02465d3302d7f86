// A Microsoft SQL Server by TDS, and its browser service over UDP.
import { repeatedGuesses } from '../../repeated-guesses.ts'
import { sessionRunner } from '../../session-runner.ts'
import type { BirdSettings, Service, SessionContext } from '../../session.ts'
import { computerOf } from '../smb/machine.ts'
import { browserSession } from './browser.ts'
import { descriptor } from './descriptor.ts'
import { sqlServerSession } from './session.ts'
import { sessionIds } from './session-ids.ts'
import { sqlServerTls } from './tls.ts'
import { versionNamed, type Version } from './versions.ts'

/** Applications of the machine itself that hold a session. */
const BUSY_SESSIONS = 4
/** Where the machine's names come from. */
const NAME_SETTINGS = ['mode', 'netbiosname', 'workgroup', 'domain', 'netbios_domain.enabled'] as const

const service: Service = {
  listeners(settings) {
    if (settings['dbsrv_a.enabled'] !== true) return []
    const version = versionNamed(settings['dbsrv_a.version'])
    const port = Number(settings['dbsrv_a.port'])
    const names = Object.fromEntries(NAME_SETTINGS.map((key) => [`smb.${key}`, settings[`smb.${key}`]]))
    const about = { instance: 'dbsrv_a', dependsOn: JSON.stringify([version.name, port, names]) }
    const [browserPort] = descriptor.portsBesides
    const computer = (derive: SessionContext['derive']): string =>
      computerOf(names, derive).names.netbiosComputer
    return [
      { ...about, transport: 'tcp', port, startSession: openServer(version, names) },
      {
        ...about,
        ...browserPort,
        startSession: sessionRunner(browserSession({ computer, version: version.text, port })),
      },
    ]
  },
}

export default service

/** The sessions of one listener. */
export const openServer = (version: Version, names: BirdSettings) =>
  sqlServerSession({
    version,
    computer: (derive) => computerOf(names, derive),
    tls: (derive) => sqlServerTls(derive, version),
    sessionIds: sessionIds(BUSY_SESSIONS),
    repeatedGuesses: repeatedGuesses(),
  })
