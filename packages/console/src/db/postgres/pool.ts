// Connections to PostgreSQL as Kysely sees them: whole numbers come as numbers, and one may be lost at any time.
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { ConnectionFailure, isLost, isUnanswered } from './errors.ts'

export interface QueryOptions {
  /** How long the server may take to answer; 0 is without a limit. */
  readonly answerMs: number
  /** The value to bind; throws for one that cannot be stored. */
  readonly bind: (value: unknown, place: number) => unknown
  /** Called when the server process with this id did not answer a statement in time, but for a COMMIT. */
  readonly onUnanswered: (pid: number) => void
}

const INT8 = 20

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
}

/** A COMMIT that is cancelled counts as a success, and its standby may lack it. */
const COMMIT = /\bcommit$/i

const ROLLED_BACK = { command: 'ROLLBACK', rowCount: 0, rows: [] }

export function openPool(
  config: pg.PoolConfig,
  { answerMs, bind, onUnanswered }: QueryOptions,
): PostgresPool {
  const pool = new pg.Pool({ ...config, types })
  // A server that goes away breaks idle connections; the next query opens another.
  pool.on('error', () => undefined)
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw new ConnectionFailure(error)
      })
      let lost: Error | undefined
      const lose = (error: Error): void => void (lost ??= error)
      // A connection may also end while it is idle; without a listener, that would end the process.
      client.on('error', lose)

      async function query(text: string, values: readonly unknown[] = []): Promise<unknown> {
        if (lost) throw lost
        try {
          const statement = { text, values: values.map(bind), query_timeout: answerMs }
          const results: unknown = await client.query(statement)
          // Several statements in one text have a result each.
          return Array.isArray(results) ? results.at(-1) : results
        } catch (error) {
          if (isLost(error)) lose(error)
          if (isUnanswered(error) && !COMMIT.test(text)) cancel(client)
          throw error
        }
      }

      function cancel(unanswered: object): void {
        if ('processID' in unanswered && typeof unanswered.processID === 'number')
          onUnanswered(unanswered.processID)
      }

      /** The server rolls back with the connection: the caller reports what broke it, not the ROLLBACK. */
      async function rollback(text: string): Promise<unknown> {
        try {
          return await query(text)
        } catch (error) {
          lose(error as Error)
          return ROLLED_BACK
        }
      }

      const run = (text: string, values?: readonly unknown[]): Promise<unknown> =>
        text.toLowerCase() === 'rollback' ? rollback(text) : query(text, values)
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
