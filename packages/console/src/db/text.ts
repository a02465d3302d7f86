// Text search that means the same on both engines: a substring in which % and _ are themselves, A to Z in either case. What
// folds other letters differs from engine to engine, and from one server's locale to another's.
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

/** Folded once for all columns, a quarter of what ILIKE takes. No text reaches over the character between them, for it has none. */
function inAllAtOnce(columns: readonly string[], text: string): RawBuilder<SqlBool> {
  let code = 1
  while (text.includes(String.fromCharCode(code))) code++
  const all = sql`concat_ws(chr(${sql.lit(code)}), ${sql.join(columns.map((column) => sql.ref(column)))})`
  return sql`(strpos(lower(${all} COLLATE "C"), lower(${text} COLLATE "C")) > 0)`
}

/** Stands between texts that are folded together. */
const BETWEEN = '\u0001'

/** An SQL expression of texts, each `?`, folded together to be searched more than once; `foldedContains` asks it. */
export function folding(engine: EngineName, texts: number): string {
  const [text, between, fold] = engine === 'sqlite' ? ['?', 'char', ''] : ['?::text', 'chr', ' COLLATE "C"']
  const all = Array.from({ length: texts }, () => text).join(` || ${between}(${BETWEEN.charCodeAt(0)}) || `)
  return `lower((${all})${fold})`
}

/** Whether a column of folded texts, none of them with a control character, contains the text. */
export const foldedContains = (engine: EngineName, column: string, text: string): RawBuilder<SqlBool> => {
  if (text.includes(BETWEEN)) return sql`1 = 0`
  // Both sides are folded: what is left is a comparison of bytes.
  return engine === 'sqlite'
    ? sql`instr(${sql.ref(column)}, lower(${text})) > 0`
    : sql`strpos(${sql.ref(column)} COLLATE "C", lower(${text} COLLATE "C")) > 0`
}
