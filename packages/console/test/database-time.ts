// The time of a test's PostgreSQL, which the test moves: the function that tells it is found before that of the server.
import pg from 'pg'
import { onTestFinished } from 'vitest'

export interface DatabaseTime {
  now(): number
  /** Resolves once every console of the database is answered with the new time. */
  advance(ms: number): Promise<void>
}

/** Must be called before the first console connects. */
export async function databaseTime(
  url: string,
  start = Date.UTC(2026, 10, 21, 6, 0, 0),
): Promise<DatabaseTime> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  let now = start
  await client.query(`
    CREATE TABLE test_time (ms int8 NOT NULL);
    INSERT INTO test_time VALUES (${now});
    CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql
      AS 'SELECT pg_catalog.to_timestamp(ms / 1000.0) FROM public.test_time';
    ALTER DATABASE ${client.escapeIdentifier(client.database ?? '')} SET search_path = public, pg_catalog`)
  return {
    now: () => now,
    async advance(ms) {
      now += ms
      await client.query('UPDATE test_time SET ms = $1', [now])
    },
  }
}
