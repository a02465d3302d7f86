// A PostgreSQL of the run's own, from the registry's binaries: as durable as one is by default, and with the memory that its
// manual recommends for a server in use (chapters "Resource Consumption" and "WAL Configuration").
import { chmodSync, mkdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startServer } from '../../../tools/postgres.ts'
import { freePort } from '../../../tools/free-port.ts'

export interface RunningPostgres {
  /** An empty database, for `ROOKERY_DATABASE_URL`. */
  readonly url: string
  /** Asks the server on a connection of the bench's own. */
  rows<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  stop(): Promise<void>
}

const MIB = 2 ** 20
/** A quarter of the machine's; more than the largest table of a run would lie idle. */
const BUFFERS_MIB = Math.floor(Math.min(totalmem() / 4 / MIB, 2_048))

/** Its own default is 128 MiB, made to start on any machine: changed pages then go out early, to make room for others. */
const FLAGS = ['-c', `shared_buffers=${BUFFERS_MIB}MB`, '-c', `max_wal_size=${2 * BUFFERS_MIB}MB`]

/** Starts it in a folder of the run, on a free port. */
export async function startPostgres(folder: string): Promise<RunningPostgres> {
  const home = join(folder, 'postgres')
  mkdirSync(home)
  chmodSync(folder, 0o755)
  const server = await startServer({ folder: home, port: await freePort(), flags: FLAGS })
  await server.createDatabase('bench')
  const url = server.url('bench')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // Between two questions the connection may end with the server; the next question opens another, or says why not.
  pool.on('error', () => undefined)
  return {
    url,
    rows: async <R>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, [...values])).rows as R[],
    async stop() {
      await pool.end()
      await server.stop()
    },
  }
}
