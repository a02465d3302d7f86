// A reading connection beside the console's, kept for one thread alone.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { SnapshotReader } from '../snapshot-reader.ts'
import type { Schema } from '../schema.gen.ts'
import { openPool, type Asking } from './pool.ts'

const CONNECT_MS = 5_000

const ASKING: Asking = {
  answerMs: 60_000,
  bound: (value) => value,
  failed(error, _text, lose) {
    // What the server says of a statement leaves the connection as it was; all else may not.
    if (!(error as { code?: string }).code) lose(error as Error)
    throw error
  },
}

const BEGIN = 'START TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Snapshots come one after the other. Questions of one that do not wait for each other's answers go out together. */
export function postgresSnapshotReader(url: string): SnapshotReader {
  const config = { connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_MS, pipeline: true }
  const pool = openPool(config, ASKING)
  let client: PostgresPoolClient | undefined
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: lending(() => client) }) })
  const say = (text: string): Promise<unknown> =>
    (client?.query as unknown as (text: string) => Promise<unknown>)(text)

  return {
    engine: 'postgres',
    async snapshot(read) {
      client = await pool.connect()
      try {
        await say(BEGIN)
        const answer = await read(query)
        await say('COMMIT')
        return answer
      } catch (error) {
        // Who cannot even say this is lost, and told so.
        await say('ROLLBACK').catch(() => undefined)
        throw error
      } finally {
        client.release()
        client = undefined
      }
    },
    async close() {
      await query.destroy()
      await pool.end()
    },
  }
}

/** Lends the one connection to every question, also while it answers others. */
const lending = (client: () => PostgresPoolClient | undefined): PostgresPool => ({
  options: {},
  connect() {
    const lent = client()
    if (!lent) throw new Error('Outside of a snapshot nothing can be asked.')
    return Promise.resolve({ query: lent.query.bind(lent), release: () => undefined } as PostgresPoolClient)
  },
  end: () => Promise.resolve(),
})
