// A PostgreSQL of the run's own, from the registry's binaries, as durable as one is by default.
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startServer } from '../../tools/postgres.ts'
import { freePort } from './ports.ts'

export interface RunningPostgres {
  /** An empty database, for `ROOKERY_DATABASE_URL`. */
  readonly url: string
  /** Asks the server beside the console. */
  rows<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  stop(): Promise<void>
}

/** Starts it in a folder of the run, on a free port. */
export async function startPostgres(folder: string): Promise<RunningPostgres> {
  const home = join(folder, 'postgres')
  mkdirSync(home)
  chmodSync(folder, 0o755)
  const server = await startServer({ folder: home, port: await freePort() })
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
