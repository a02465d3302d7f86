// Connections to PostgreSQL as Kysely sees them: whole numbers come as numbers, and one may be lost at any time.
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

export interface Asking {
  /** How long the server may take to answer; 0 is as long as it takes. */
  readonly answerMs: number
  /** What is bound for a value; throws for one that cannot be. */
  readonly bound: (value: unknown, place: number) => unknown
  /** Throws, or answers in the place of a statement that failed; `lose` says not to use its connection again. */
  readonly failed: (error: unknown, text: string, lose: (error: Error) => void) => unknown
}

const INT8 = 20

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
}

export function openPool(config: pg.PoolConfig, { answerMs, bound, failed }: Asking): PostgresPool {
  const pool = new pg.Pool({ ...config, types })
  // A server that goes away breaks idle connections; the next query opens another.
  pool.on('error', () => undefined)
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      let lost: Error | undefined
      const lose = (error: Error): void => void (lost ??= error)
      // A connection also ends while nobody asks anything of it; unheard, that would end the process.
      client.on('error', lose)
      const query = async (text: string, values: readonly unknown[] = []): Promise<unknown> => {
        try {
          const asked = { text, values: values.map(bound), query_timeout: answerMs }
          return await client.query(asked)
        } catch (error) {
          return failed(error, text, lose)
        }
      }
      return {
        query: query as unknown as PostgresPoolClient['query'],
        release() {
          client.release(lost)
          client.off('error', lose)
        },
      }
    },
    end: () => pool.end(),
  }
}
