// Expressions that change the plan and never the result. Neither engine takes hints, but both match an index only by its exact
// column and a partial index only by its exact predicate.
import { sql, type RawBuilder, type SqlBool } from 'kysely'

/** `column + 0`: an expression, so no index on the column matches. */
export const noIndex = (column: string): RawBuilder<number> => sql<number>`(${sql.ref(column)} + 0)`

/** `column || ''`: an expression, so no index on the text column matches. */
export const noTextIndex = (column: string): RawBuilder<string> => sql<string>`(${sql.ref(column)} || '')`

/**
 * `incident_id > 0`, true of every incident. `incident_by_state` is partial with this predicate, so that a planner uses it only
 * if the query repeats it; otherwise lists of one Flock would use it instead of `incident_by_flock`.
 */
export const partialIndexHint = (): RawBuilder<SqlBool> => sql<SqlBool>`incident_id > 0`
