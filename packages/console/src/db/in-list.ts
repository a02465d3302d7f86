// `column IN (…)` with one statement text for any number of values, so that the statement cache holds it once.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { jsonFor } from './json.ts'
import type { EngineName } from './query.ts'

/** Any number of texts in a statement: its SQL, and the value of its one `?`. One text has a shorter form. */
export interface TextParameter {
  readonly sql: string
  readonly value: string
}

/** The texts as the rows of a table `name` with one column `value`. */
export function textRelation(engine: EngineName, name: string, texts: readonly string[]): TextParameter {
  if (texts.length === 1)
    return { sql: `(SELECT CAST(? AS TEXT) AS value) AS ${name}`, value: texts[0] ?? '' }
  const value = jsonFor(engine, texts)
  return engine === 'sqlite'
    ? { sql: `json_each(?) AS ${name}`, value }
    : { sql: `jsonb_array_elements_text(?::jsonb) AS ${name} (value)`, value }
}

/** `column` is one of the selected values. `= ANY(ARRAY(…))` keeps PostgreSQL from scanning the table instead. */
export const inRows = (engine: EngineName, column: string, query: string): string =>
  engine === 'sqlite' ? `${column} IN (${query})` : `${column} = ANY(ARRAY(${query}))`

/** `column` is one of the texts. */
export function inTexts(engine: EngineName, column: string, texts: readonly string[]): TextParameter {
  if (texts.length === 1) return { sql: `${column} = ?`, value: texts[0] ?? '' }
  const { sql, value } = textRelation(engine, 'texts', texts)
  return { sql: inRows(engine, column, `SELECT value FROM ${sql}`), value }
}

/** Texts or integers, or none, which no row matches; `column` is written as in SQL. */
export function inList(
  engine: EngineName,
  column: string,
  values: readonly string[] | readonly number[],
): RawBuilder<SqlBool> {
  if (engine === 'sqlite')
    return sql`${sql.ref(column)} IN (SELECT value FROM json_each(${jsonFor(engine, values)}))`
  // PostgreSQL must know of which type nothing is.
  if (values.length === 0) return sql`FALSE`
  // It plans an array parameter faster than an expression over JSON.
  if (typeof values[0] === 'number') return sql`${sql.ref(column)} = ANY(${`{${values.join()}}`}::bigint[])`
  const list = jsonFor(engine, values)
  return sql`${sql.ref(column)} = ANY(ARRAY(SELECT jsonb_array_elements_text(${list}::jsonb)))`
}
