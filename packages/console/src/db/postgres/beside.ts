// A reading connection beside the console's. Values come in binary: columns of the search index would else be twice as long.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Beside } from '../beside.ts'
import type { Schema } from '../schema.ts'

const CONNECT_MS = 5_000
const ANSWER_MS = 60_000

// Type numbers of pg_type.dat.
const BYTEA = 17
const INT8 = 20
const NUMBERS = new Set([21, 23, 700, 701])

const types = {
  getTypeParser(oid: number): (value: Buffer) => unknown {
    if (oid === BYTEA) return (value) => value
    if (oid === INT8) return (value) => Number(value.readBigInt64BE())
    if (NUMBERS.has(oid)) return pg.types.getTypeParser(oid, 'binary') as (value: Buffer) => unknown
    return (value) => value.toString('utf8')
  },
}

export function besidePostgres(url: string): Beside {
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: binary(url) }) })
  return {
    engine: 'postgres',
    snapshot: (read) =>
      query.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
    close: () => query.destroy(),
  }
}

function binary(url: string): PostgresPool {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_MS })
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
          const config = { text, values: [...values], binary: true, types, query_timeout: ANSWER_MS }
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
