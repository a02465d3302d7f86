// Rows as a relation inside a query: one parameter, and one statement text for any number of them.
import { sql, type RawBuilder } from 'kysely'
import { jsonFor } from './json.ts'
import type { EngineName } from './query.ts'

type Columns = Readonly<Record<string, 'bigint' | 'text'>>

/** `(…) AS name` for a FROM clause, with these columns. */
export function recordset<C extends Columns>(
  engine: EngineName,
  name: string,
  columns: C,
  rows: readonly Readonly<Record<keyof C, string | number | null>>[],
): RawBuilder<unknown> {
  const json = jsonFor(engine, rows)
  const given = Object.entries(columns)
  if (engine === 'postgres') {
    const typed = given.map(([column, type]) => sql`${sql.ref(column)} ${sql.raw(type)}`)
    return sql`jsonb_to_recordset(${json}::jsonb) AS ${sql.ref(name)} (${sql.join(typed)})`
  }
  const read = given.map(
    ([column]) => sql`json_extract(value, ${sql.lit(`$.${column}`)}) AS ${sql.ref(column)}`,
  )
  // MATERIALIZED: inlined, a column would be read from the JSON again for each row that it is compared with.
  return sql`(WITH given AS MATERIALIZED (SELECT ${sql.join(read)} FROM json_each(${json})) SELECT * FROM given) AS ${sql.ref(name)}`
}
