// A reading connection beside the console's, kept for one thread alone.
import { Kysely, PostgresDialect } from 'kysely'
import type { Beside } from '../beside.ts'
import type { Schema } from '../schema.ts'
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

export function besidePostgres(url: string): Beside {
  const config = { connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_MS }
  const query = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPool(config, ASKING) }) })
  return {
    engine: 'postgres',
    snapshot: (read) =>
      query.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read),
    close: () => query.destroy(),
  }
}
