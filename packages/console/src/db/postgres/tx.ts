// Set statements on PostgreSQL: one JSON parameter that the server unfolds into typed rows.
import { CompiledQuery, sql } from 'kysely'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import type { Query, Row, Tx, Value } from '../query.ts'
import { storable } from '../values.ts'
import type { CommitSequence } from '../commit-sequence.ts'
import { jsonFor } from '../json.ts'

const names = (columns: readonly string[]) => sql.join(columns.map((c) => sql.ref(c)))

/** Checked first: JSON would write a Date as a string and leave `undefined` out. */
function json(rows: readonly Row[]): string {
  for (const row of rows) for (const [column, value] of Object.entries(row)) storable(value, column)
  return jsonFor('postgres', rows)
}

/** The rows as a relation of the table's own row type, named `x`. */
const relation = (table: string, rows: readonly Row[]) =>
  sql`json_populate_recordset(null::${sql.table(table)}, ${json(rows)}::json) AS x`

/** Statements whose texts with numbered parameters are cached. */
const numberedTexts = boundedMap<string, string>(limit('postgres_statement_cache', 400))

/** The text with `$1`, `$2` … for its question marks. */
function numbered(text: string): string {
  const cached = numberedTexts.get(text)
  if (cached !== undefined) return cached
  let n = 0
  const made = text.replaceAll('?', () => `$${++n}`)
  numberedTexts.set(text, made)
  return made
}

export function postgresTx(query: Query, sequence: CommitSequence): Tx {
  return {
    ...sequence,
    query,
    engine: 'postgres',
    async rows<R>(text: string, values: readonly Value[]) {
      return (await query.executeQuery(CompiledQuery.raw(numbered(text), [...values]))).rows as R[]
    },
    async insertMany(table, rows, conflict) {
      const first = rows[0]
      if (!first) return
      const columns = Object.keys(first)
      const rest = columns.filter((c) => !conflict?.key.includes(c))
      const tail = !conflict
        ? sql``
        : conflict.then === 'skip'
          ? sql`ON CONFLICT (${names(conflict.key)}) DO NOTHING`
          : sql`ON CONFLICT (${names(conflict.key)}) DO UPDATE SET ${sql.join(
              rest.map((c) => {
                const stored = conflict.adding?.includes(c)
                  ? sql`${sql.table(table)}.${sql.ref(c)} + `
                  : sql``
                return sql`${sql.ref(c)} = ${stored}excluded.${sql.ref(c)}`
              }),
            )}`
      await sql`INSERT INTO ${sql.table(table)} (${names(columns)})
                SELECT ${names(columns)} FROM ${relation(table, rows)} ${tail}`.execute(query)
    },
    async updateMany(table, key, rows) {
      const first = rows[0]
      if (!first) return
      const columns = Object.keys(first).filter((c) => !key.includes(c))
      await sql`UPDATE ${sql.table(table)} AS t
                SET ${sql.join(columns.map((c) => sql`${sql.ref(c)} = x.${sql.ref(c)}`))}
                FROM ${relation(table, rows)}
                WHERE ${sql.join(
                  key.map((c) => sql`t.${sql.ref(c)} = x.${sql.ref(c)}`),
                  sql` AND `,
                )}`.execute(query)
    },
    async deleteMany(table, column, values) {
      if (values.length === 0) return
      await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} IN (${sql.join(values)})`.execute(
        query,
      )
    },
  }
}
