// Connections to PostgreSQL as Kysely sees them: whole numbers come as numbers, and one may be lost at any time.
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

export interface QueryOptions {
  /** How long the server may take to answer; 0 is without a limit. */
  readonly answerMs: number
  /** The value to bind; throws for one that cannot be stored. */
  readonly bind: (value: unknown, place: number) => unknown
  /** Throws, or answers for a statement that failed; `lose` discards its connection. */
  readonly onFailure: (error: unknown, text: string, lose: (error: Error) => void) => unknown
}

const INT8 = 20

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
}

export function openPool(
  config: pg.PoolConfig,
  { answerMs, bind: bound, onFailure: failed }: QueryOptions,
): PostgresPool {
  const pool = new pg.Pool({ ...config, types })
  // A server that goes away breaks idle connections; the next query opens another.
  pool.on('error', () => undefined)
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      let lost: Error | undefined
      const lose = (error: Error): void => void (lost ??= error)
      // A connection may also end while it is idle; without a listener, that would end the process.
      client.on('error', lose)
      const run = async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
        try {
          const query = { text, values: values.map(bound), query_timeout: answerMs }
          return await client.query(query)
        } catch (error) {
          return failed(error, text, lose)
        }
      }
      return {
        query: run as unknown as PostgresPoolClient['query'],
        release() {
          client.release(lost)
          client.off('error', lose)
        },
      }
    },
    end: () => pool.end(),
  }
}
