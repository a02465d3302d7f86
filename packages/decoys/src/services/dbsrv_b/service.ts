// A database server that speaks the MySQL protocol: MariaDB 10.11 of Debian 12.
import type { Crowd } from '../../crowd.ts'
import { bootedAt } from '../../own/boot-time.ts'
import { storyKey } from '../../own/story.ts'
import type { BirdSettings, Service, SessionContext } from '../../session.ts'
import { errorPacket, hostBlocked, tooManyConnections } from './errors.ts'
import { hostErrors } from './host-errors.ts'
import { MARIADB } from './server.ts'
import { databaseSession } from './session.ts'
import { databaseTls } from './tls.ts'

/** `max_connections`, and one more for an administrator, whom the server knows only after the login. */
const MOST_CONNECTIONS = 152
/** Debian's start script and the server's own threads have had the numbers before; its daily jobs take two more each day. */
const FIRST_THREAD = 30
const HALF_DAY_MS = 43_200_000
const passedThreads = ({ derive, now }: SessionContext): number =>
  FIRST_THREAD + Math.floor((now() - bootedAt(derive, now())) / HALF_DAY_MS)

const service: Service = {
  listeners(settings) {
    if (settings['dbsrv_b.enabled'] !== true) return []
    const banner = String(settings['dbsrv_b.banner'])
    const { crowd, startSession } = openServer(banner, settings)
    const port = Number(settings['dbsrv_b.port'])
    const dependsOn = banner + storyKey(settings)
    return [{ instance: 'dbsrv_b', transport: 'tcp', port, startSession, crowd, dependsOn }]
  },
}

export default service

/** The sessions of one listener, and how many there may be. */
export function openServer(banner: string, settings: BirdSettings = {}) {
  const errors = hostErrors()
  let connections = 0
  let threads = 0
  const nextThread = (): number => (threads = (threads + 1) >>> 0)
  const sessions = databaseSession({
    banner,
    product: MARIADB,
    tls: (context) => databaseTls(settings, context),
    nextThread,
    errors,
    closed: () => void (connections -= 1),
  })
  const full = errorPacket(0, tooManyConnections, false)
  const crowd: Crowd = {
    full,
    refusal({ address }) {
      if (connections >= MOST_CONNECTIONS) return full
      if (!errors.isBlocked(address)) return undefined
      nextThread()
      return errorPacket(0, hostBlocked(address), false)
    },
  }
  const startSession: typeof sessions = (context) => {
    connections += 1
    threads = Math.max(threads, passedThreads(context))
    return sessions(context)
  }
  return { crowd, startSession }
}
