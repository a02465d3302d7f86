// Set statements on SQLite: one prepared statement, run row by row on the transaction's own connection.
import type { Query, Tx, Value } from '../query.ts'
import type { CommitSequence } from '../commit-sequence.ts'
import { storable } from '../values.ts'
import type { Connection } from './connection.ts'

const marks = (columns: readonly string[]): string => columns.map(() => '?').join(', ')
const sets = (columns: readonly string[]): string => columns.map((c) => `${c} = ?`).join(', ')

export function sqliteTx(connection: Connection, query: Query, sequence: CommitSequence): Tx {
  return {
    ...sequence,
    query,
    engine: 'sqlite',
    rows<R>(text: string, values: readonly Value[]) {
      try {
        return Promise.resolve(connection.statement(text).all(values.map(storable)) as R[])
      } catch (error) {
        return Promise.reject(error as Error)
      }
    },
    insertMany(table, rows, conflict) {
      const first = rows[0]
      if (!first) return Promise.resolve()
      const columns = Object.keys(first)
      const rest = columns.filter((c) => !conflict?.key.includes(c))
      const tail = !conflict
        ? ''
        : conflict.then === 'skip'
          ? ` ON CONFLICT (${conflict.key.join(', ')}) DO NOTHING`
          : ` ON CONFLICT (${conflict.key.join(', ')}) DO UPDATE SET ${rest.map((c) => `${c} = ${conflict.adding?.includes(c) ? `${table}.${c} + ` : ''}excluded.${c}`).join(', ')}`
      const insert = connection.statement(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${marks(columns)})${tail}`,
      )
      return each(rows, (row) => insert.run(columns.map((c) => storable(row[c], c))))
    },
    updateMany(table, key, rows) {
      const first = rows[0]
      if (!first) return Promise.resolve()
      const columns = Object.keys(first).filter((c) => !key.includes(c))
      const update = connection.statement(
        `UPDATE ${table} SET ${sets(columns)} WHERE ${key.map((c) => `${c} = ?`).join(' AND ')}`,
      )
      const named = [...columns, ...key]
      return each(rows, (row) => update.run(named.map((c) => storable(row[c], c))))
    },
    deleteMany(table, column, values) {
      const remove = connection.statement(`DELETE FROM ${table} WHERE ${column} = ?`)
      return each(values, (value) => remove.run([value]))
    },
  }
}

/** Runs for every item; a throw becomes a rejection. */
function each<T>(items: readonly T[], run: (item: T) => unknown): Promise<void> {
  try {
    for (const item of items) run(item)
    return Promise.resolve()
  } catch (error) {
    return Promise.reject(error as Error)
  }
}
