// Time limit of long reads. PostgreSQL has `statement_timeout`; on SQLite the statement itself calls a function that throws.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { Fault } from '@rookery/kernel/fault.ts'
import type { EngineName } from './query.ts'

/** The SQL function of the long-read connection that throws once the time limit of the running read has passed. */
export const LIMIT_FUNCTION = 'within_time'

/** Rows between two calls, a power of two. */
const ROWS_BETWEEN = 4_096

/** True of every row; ends a long read that exceeds its time limit. `id`: an integer column with a different value in each row. */
export const withinTime = (engine: EngineName, id: string): RawBuilder<SqlBool> =>
  engine === 'sqlite'
    ? sql`(${sql.ref(id)} & ${sql.lit(ROWS_BETWEEN - 1)} <> 0 OR ${sql.raw(LIMIT_FUNCTION)}())`
    : sql`true`

export const tookTooLong = (limitMs: number): Fault =>
  new Fault('unavailable', `The search took longer than ${Math.round(limitMs / 1_000)} s: narrow it down.`, {
    retryAfterS: 5,
  })
