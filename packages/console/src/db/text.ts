// Text search that means the same on both engines: a case-insensitive substring in which % and _ are themselves.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { EngineName } from './query.ts'

/** True where any of the columns contains the text. */
export function containsText(
  engine: EngineName,
  columns: readonly string[],
  text: string,
): RawBuilder<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const like = sql.raw(engine === 'sqlite' ? 'LIKE' : 'ILIKE')
  return sql`(${sql.join(
    columns.map((column) => sql`${sql.ref(column)} ${like} ${pattern} ESCAPE '\\'`),
    sql` OR `,
  )})`
}
