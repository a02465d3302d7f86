// A database server that speaks the MySQL protocol: MariaDB 10.11 of Debian 12, or MySQL 5.7 or 8.0.
import type { Crowd } from '../../session/crowd.ts'
import { bootedAt } from '../../machine/boot-time.ts'
import { storyKey } from '../../machine/story.ts'
import type { BirdSettings, Service, SessionContext } from '../../session/session.ts'
import { accounts } from './protocol/accounts.ts'
import { errorPacket, hostBlocked, tooManyConnections } from './protocol/errors.ts'
import { hostErrors } from './protocol/host-errors.ts'
import { passwordKey } from './protocol/password-key.ts'
import { databaseSession } from './protocol/session.ts'
import { mariadbTls, mysqlTls } from './protocol/tls.ts'
import { DEFAULT_VERSION, versionNamed } from './versions.ts'
import type { Version } from './protocol/version.ts'

/** `max_connections`, and one more for an administrator, whom the server knows only after the login. */
const MAX_CONNECTIONS = 152
/** The daily jobs of a machine take two threads each day. */
const HALF_DAY_MS = 43_200_000

/** Threads since the machine booted, without those of connections, and the time until which the count holds. */
function passedThreads({ firstThread }: Version, { derive, now }: SessionContext) {
  const bootAt = bootedAt(derive, now())
  const halfDays = Math.floor((now() - bootAt) / HALF_DAY_MS)
  return { count: firstThread + halfDays, until: bootAt + (halfDays + 1) * HALF_DAY_MS }
}

const service: Service = {
  listeners(settings) {
    if (settings['dbsrv_b.enabled'] !== true) return []
    const { crowd, startSession } = openServer(settings)
    const port = Number(settings['dbsrv_b.port'])
    const own = [settings['dbsrv_b.version'], settings['dbsrv_b.banner']]
    const dependsOn = JSON.stringify(own) + storyKey(settings)
    return [{ instance: 'dbsrv_b', transport: 'tcp', port, startSession, crowd, dependsOn }]
  },
}

export default service

const RELEASE = /^\d+\.\d+\.\d+/

/** The sessions of one listener, and how many there may be. */
export function openServer(settings: BirdSettings = {}) {
  const version = versionNamed(settings['dbsrv_b.version'] ?? DEFAULT_VERSION)
  const banner = String(settings['dbsrv_b.banner'] ?? '') || version.banner
  const [release = version.banner] = RELEASE.exec(banner) ?? []
  const errors = hostErrors()
  let connections = 0
  let threads = 0
  // Computed twice a day, not for each connection: HKDF takes a tenth of a login's processor time.
  let passed = { count: 0, until: 0 }
  const nextThread = (): number => (threads = (threads + 1) >>> 0)
  const sessions = databaseSession({
    banner,
    version,
    tls: (context) =>
      version.product === 'mariadb'
        ? mariadbTls(settings, context)
        : mysqlTls(settings, context, { version: version.name, release }),
    passwordKey: ({ derive }) => passwordKey(derive),
    pluginOf: accounts(version),
    nextThread,
    errors,
    closed: () => void (connections -= 1),
  })
  const full = errorPacket(0, tooManyConnections, false)
  const crowd: Crowd = {
    full,
    refusal({ address }) {
      if (connections >= MAX_CONNECTIONS) return full
      if (!errors.isBlocked(address)) return undefined
      nextThread()
      return errorPacket(0, hostBlocked(address, version.words.admin), false)
    },
  }
  const startSession: typeof sessions = (context) => {
    connections += 1
    if (context.now() >= passed.until) passed = passedThreads(version, context)
    threads = Math.max(threads, passed.count)
    return sessions(context)
  }
  return { crowd, startSession }
}
