// Text search that means the same on both engines: a case-insensitive substring in which % and _ are themselves.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { EngineName } from './query.ts'

/** True where any of the columns contains the text; a null column contains nothing. */
export const containsText = (
  engine: EngineName,
  columns: readonly string[],
  text: string,
): RawBuilder<SqlBool> => (engine === 'sqlite' ? likeAny(columns, text) : inAllAtOnce(columns, text))

function likeAny(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} LIKE ${pattern} ESCAPE '\\'`),
    sql` OR `,
  )})`
}

/** As ILIKE folds, but once for all columns: half of the time. No text reaches over the character between them, for it has none. */
function inAllAtOnce(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  let code = 1
  while (text.includes(String.fromCharCode(code))) code++
  const all = sql`concat_ws(chr(${sql.lit(code)}), ${sql.join(columns.map((column) => sql.ref(column)))})`
  return sql`(strpos(lower(${all}), lower(${text})) > 0)`
}

/** Stands between texts that are folded together. */
const BETWEEN = '\u0001'

/** An SQL expression of texts, each `?`, folded together to be searched more than once; `foldedContains` asks it. */
export const folding = (engine: EngineName, texts: number): string =>
  `lower(${Array.from({ length: texts }, () => (engine === 'sqlite' ? '?' : '?::text')).join(
    ` || ${engine === 'sqlite' ? 'char' : 'chr'}(${BETWEEN.charCodeAt(0)}) || `,
  )})`

/** Whether a column of folded texts, none of them with a control character, contains the text. */
export const foldedContains = (engine: EngineName, column: string, text: string): RawBuilder<SqlBool> => {
  if (text.includes(BETWEEN)) return sql`1 = 0`
  // Both sides are folded: what is left is a comparison of bytes.
  return engine === 'sqlite'
    ? sql`instr(${sql.ref(column)}, lower(${text})) > 0`
    : sql`strpos(${sql.ref(column)} COLLATE "C", lower(${text}) COLLATE "C") > 0`
}
