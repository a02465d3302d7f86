// Substring search with the same result on both engines: `%` and `_` are ordinary characters, and only A to Z are folded, for
// the folding of other letters depends on the engine and on the server's locale.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { EngineName } from './query.ts'

/** True where any of the columns contains the text; a null column contains nothing. */
export const containsText = (
  engine: EngineName,
  columns: readonly string[],
  text: string,
): RawBuilder<SqlBool> => (engine === 'sqlite' ? likeAny(columns, text) : inAllAtOnce(columns, text))

/** The same with LIKE; PostgreSQL then tells the case of letters apart. */
export function likeAny(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`),
    sql` OR `,
  )})`
}

/** Folds all columns at once, which takes a quarter of the time of ILIKE. The separator is a character that the text does not have. */
function inAllAtOnce(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  let code = 1
  while (text.includes(String.fromCharCode(code))) code++
  const all = sql`concat_ws(chr(${sql.lit(code)}), ${sql.join(columns.map((column) => sql.ref(column)))})`
  return sql`(strpos(lower(${all} COLLATE "C"), lower(${text} COLLATE "C")) > 0)`
}

/** The text with A to Z in lower case, as `lower()` makes it in both engines under the collation "C". */
export const fold = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether an expression of folded text contains the text, folded. */
export const foldedContains = (
  engine: EngineName,
  column: RawBuilder<string>,
  text: string,
): RawBuilder<SqlBool> =>
  sql`${sql.raw(engine === 'sqlite' ? 'instr' : 'strpos')}(${column}, ${fold(text)}) > 0`

/** Whether a column of the collation "C" contains the text. A text without letters needs no `lower()`: a fifth of the time. */
export const columnContains = (engine: EngineName, column: string, text: string): RawBuilder<SqlBool> =>
  foldedContains(
    engine,
    /[a-z]/i.test(text) ? sql<string>`lower(${sql.ref(column)})` : sql.ref<string>(column),
    text,
  )
