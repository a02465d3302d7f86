// A database server that speaks the MySQL protocol: MariaDB 10.11 of Debian 12.
import type { Crowd } from '../../crowd.ts'
import type { Service } from '../../session.ts'
import { errorPacket, hostBlocked, tooManyConnections } from './errors.ts'
import { hostErrors } from './host-errors.ts'
import { MARIADB } from './server.ts'
import { databaseSession } from './session.ts'
import { databaseTls } from './tls.ts'

/** `max_connections`, and one more for an administrator, whom the server knows only after the login. */
const MOST_CONNECTIONS = 152
/** Debian's start script and the server's own threads have had the numbers before. */
const FIRST_THREAD = 30

const service: Service = {
  listeners(settings) {
    if (settings['dbsrv_b.enabled'] !== true) return []
    const banner = String(settings['dbsrv_b.banner'])
    const { crowd, startSession } = openServer(banner)
    const port = Number(settings['dbsrv_b.port'])
    return [{ instance: 'dbsrv_b', transport: 'tcp', port, startSession, crowd, dependsOn: banner }]
  },
}

export default service

/** The sessions of one listener, and how many there may be. */
export function openServer(banner: string) {
  const errors = hostErrors()
  let connections = 0
  let threads = FIRST_THREAD
  const nextThread = (): number => (threads = (threads + 1) >>> 0)
  const sessions = databaseSession({
    banner,
    product: MARIADB,
    tls: ({ derive }) => databaseTls(derive),
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
    return sessions(context)
  }
  return { crowd, startSession }
}
