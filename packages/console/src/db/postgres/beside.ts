// A reading connection beside the console's, kept for one thread alone.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Beside } from '../beside.ts'
import type { Schema } from '../schema.ts'

const CONNECT_MS = 5_000
const ANSWER_MS = 60_000
const INT8 = 20

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
}

export function besidePostgres(url: string): Beside {
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(url) }) })
  return {
    engine: 'postgres',
    snapshot: (read) =>
      query.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
    close: () => query.destroy(),
  }
}

function openPool(url: string): PostgresPool {
  const pool = new pg.Pool({ connectionString: url, max: 1, types, connectionTimeoutMillis: CONNECT_MS })
  pool.on('error', () => undefined)
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      let lost: Error | undefined
      const onError = (error: Error): void => void (lost ??= error)
      client.on('error', onError)
      const query = async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
        try {
          const config = { text, values: [...values], query_timeout: ANSWER_MS }
          return await client.query(config as pg.QueryConfig)
        } catch (error) {
          // What the server says of a statement leaves the connection as it was; all else may not.
          if (!(error as { code?: string }).code) lost ??= error as Error
          throw error
        }
      }
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release() {
          client.off('error', onError)
          client.release(lost)
        },
      }
    },
    end: () => pool.end(),
  }
}
