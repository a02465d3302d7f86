// PostgreSQL: the same console on a server, shared by several. Statements stay unnamed: named ones break behind poolers.
import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Engine } from '../engine.ts'
import type { Schema } from '../schema.ts'
import { storable } from '../values.ts'
import { postgresTx } from './tx.ts'

const INT8 = 20
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK = '40P01'
const DISK_FULL = '53100'
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
])

/** Kysely's view of a pool whose clients refuse values that cannot be stored. */
function guarded(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: readonly unknown[]): Promise<unknown> =>
        client.query(text, values.map(storable))
      return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
    },
    end: () => pool.end(),
  }
}

export function openPostgres(url: string): Engine {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
  }
  const pool = (max: number): PostgresPool => {
    const made = new pg.Pool({ connectionString: url, max, types })
    // A server that goes away breaks idle connections; the next query opens another.
    made.on('error', () => undefined)
    return guarded(made)
  }
  const kysely = (max: number): Kysely<Schema> =>
    new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pool(max) }) })
  const writer = kysely(1)
  const reader = kysely(8)
  const { host, pathname } = new URL(url)

  return {
    name: 'postgres',
    place: `postgres://${host}${pathname}`,
    reader,
    longRead: async (query) => (await reader.executeQuery(query)).rows,
    transaction: (run) =>
      writer.transaction().execute(async (trx) => {
        // Whoever holds this row writes: commits of all consoles come one after the other (decision 0003).
        await sql`SELECT 1 FROM turn WHERE id = 1 FOR UPDATE`.execute(trx)
        await run(postgresTx(trx))
      }),
    alter: (run) => writer.transaction().execute(run),
    ready: () => Promise.resolve(),
    diagnose(error) {
      const { code, message } = error as { code?: string; message?: string }
      if (code === DISK_FULL) return 'full'
      const lost = AWAY.has(code ?? '') || /Connection terminated|connect ECONN/.test(message ?? '')
      return lost ? 'away' : 'other'
    },
    retryable: (error) => [SERIALIZATION_FAILURE, DEADLOCK].includes((error as { code?: string }).code ?? ''),
    async close() {
      await reader.destroy()
      await writer.destroy()
    },
  }
}
