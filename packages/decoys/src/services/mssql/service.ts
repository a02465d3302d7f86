// A Microsoft SQL Server by TDS, and its browser service over UDP.
import { storyKey, storyOf } from '../../machine/story.ts'
import { repeatedGuesses } from '../../session/repeated-guesses.ts'
import { sessionRunner } from '../../session/session-runner.ts'
import type { BirdSettings, Service, SessionContext } from '../../session/session.ts'
import { browserSession } from './products/sql-server/browser.ts'
import { descriptor } from './descriptor.ts'
import { sqlServerSession } from './products/sql-server/session.ts'
import { sessionIds } from './products/sql-server/session-ids.ts'
import { sqlServerTls, tlsOfTds8 } from './products/sql-server/tls.ts'
import { versionNamed, type Version } from './products/sql-server/profile.ts'

const service: Service = {
  listeners(settings) {
    if (settings['dbsrv_a.enabled'] !== true) return []
    const version = versionNamed(settings['dbsrv_a.version'])
    const port = Number(settings['dbsrv_a.port'])
    const about = { instance: 'dbsrv_a', dependsOn: JSON.stringify([version.name, port, storyKey(settings)]) }
    const [browserPort] = descriptor.portsBesides
    const computer = (derive: SessionContext['derive']): string => storyOf(settings, derive).hostName
    return [
      { ...about, transport: 'tcp', port, startSession: openServer(version, settings) },
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
export function openServer(version: Version, settings: BirdSettings) {
  // A machine with such a server is a Windows one.
  const machine = { ...settings, 'dbsrv_a.enabled': true }
  return sqlServerSession({
    version,
    story: (derive) => storyOf(machine, derive),
    tls: (context, encryption) => sqlServerTls(context, version, encryption),
    tlsOfTds8: (context) => tlsOfTds8(context, version),
    sessionIds: sessionIds(),
    repeatedGuesses: repeatedGuesses(),
  })
}
