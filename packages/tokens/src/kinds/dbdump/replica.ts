// The statements at the end of the dump: the server that runs them becomes a replica, and logs in to the token host.
import { createHash } from 'node:crypto'
import type { TokenAddress } from '../../token.ts'

/** A connection with a name leaves a replication that the server may have as it is. */
const CONNECTIONS = ['standby', 'reporting', 'replica1', 'dr', 'mirror', 'warehouse'] as const
const MYSQL_PORT = 3306
/** The first try comes at once; a server that is refused tries again for as long as it runs. */
const RETRY_S = 3_600
/** What CHANGE REPLICATION SOURCE takes for a user. */
const USER_CHARACTERS = 96

/**
 * As SQL for MariaDB and MySQL. Each runs what the other's comments hide: `M!` is MariaDB's alone, and MariaDB passes over
 * versions from 50700. Before MySQL 8.0.23, nothing happens.
 */
export function replicaStatements({ tokenId, hostname, mysql }: TokenAddress): string[] {
  const { host, port } = mysql ?? { host: hostname, port: MYSQL_PORT }
  const { connection, password } = namesOf(tokenId)
  const options = (prefix: 'MASTER' | 'SOURCE'): string =>
    [
      `${prefix}_HOST='${host}'`,
      `${prefix}_PORT=${port}`,
      `${prefix}_PASSWORD='${password}'`,
      `${prefix}_CONNECT_RETRY=${RETRY_S}`,
      // A server that insists on TLS would send no user name.
      `${prefix}_SSL=0`,
      `${prefix}_USER=`,
    ]
      .join(', ')
      .replaceAll("'", "''")
  const user = `QUOTE(LEFT(CONCAT('${tokenId}.', @@lc_time_names, '.', @@hostname), ${USER_CHARACTERS}))`
  return [
    `SET @source = 'DO 0'`,
    `/*M!100000 SET @source = CONCAT('CHANGE MASTER ''${connection}'' TO ${options('MASTER')}', ${user}) */`,
    `/*!80023 SET @source = CONCAT('CHANGE REPLICATION SOURCE TO ${options('SOURCE')}', ${user}, ' FOR CHANNEL ''${connection}''') */`,
    'PREPARE source FROM @source',
    'EXECUTE source',
    'DEALLOCATE PREPARE source',
    // Only the thread that connects: it changes nothing on the server.
    `/*M!100000 START SLAVE '${connection}' IO_THREAD */`,
    `/*!80023 START REPLICA IO_THREAD FOR CHANNEL '${connection}' */`,
  ].map((statement) => `${statement};`)
}

/** The same for the same token. */
function namesOf(tokenId: string): { connection: string; password: string } {
  const digest = createHash('sha256').update(tokenId).digest()
  return {
    connection: CONNECTIONS[digest.readUInt8(0) % CONNECTIONS.length] ?? CONNECTIONS[0],
    password: digest.subarray(1, 13).toString('base64url'),
  }
}

export interface Replica {
  readonly locale: string
  readonly hostname: string
}

/** Of a user name as the statements make it; undefined for another one. */
export function replicaOf(user: string): Replica | undefined {
  const [, locale, hostname] = /^[a-z0-9]{25}\.([^.]{1,20})\.(.+)$/i.exec(user) ?? []
  return locale === undefined || hostname === undefined ? undefined : { locale, hostname }
}
