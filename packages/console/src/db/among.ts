// `column IN (…)` with one statement text for any number of values, so that the statement cache holds it once.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { EngineName } from './query.ts'

/** The texts of a JSON array, the statement's `?`, as the rows of a table with one column `value`. */
export const textsAs = (engine: EngineName, name: string): string =>
  engine === 'sqlite' ? `json_each(?) AS ${name}` : `jsonb_array_elements_text(?::jsonb) AS ${name} (value)`

/** `column` equals one of what `query` selects; never the other way round, by a walk over the table. */
export const amongRows = (engine: EngineName, column: string, query: string): string =>
  engine === 'sqlite' ? `${column} IN (${query})` : `${column} = ANY(ARRAY(${query}))`

/** The same for a statement written out (`Tx.rows`); its one `?` takes the texts as a JSON array. */
export const amongTexts = (engine: EngineName, column: string): string =>
  amongRows(engine, column, `SELECT value FROM ${textsAs(engine, 'texts')}`)

/** Texts or integers; `column` is written as in SQL. */
export function among(
  engine: EngineName,
  column: string,
  values: readonly string[] | readonly number[],
): RawBuilder<SqlBool> {
  const list = JSON.stringify(values)
  if (engine === 'sqlite') return sql`${sql.ref(column)} IN (SELECT value FROM json_each(${list}))`
  const type = sql.raw(typeof values[0] === 'number' ? 'bigint' : 'text')
  return sql`${sql.ref(column)} = ANY(ARRAY(SELECT jsonb_array_elements_text(${list}::jsonb)::${type}))`
}
