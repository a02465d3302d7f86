// Set statements on SQLite: one prepared statement, run row by row on the transaction's own connection.
import type { Query, Tx, Value } from '../query.ts'
import type { CommitSequence } from '../commit-sequence.ts'
import { storable } from '../values.ts'
import type { Connection } from './connection.ts'
import type { Statement } from './statement.ts'

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
      return eachRow(rows, columns, insert)
    },
    updateMany(table, key, rows) {
      const first = rows[0]
      if (!first) return Promise.resolve()
      const columns = Object.keys(first).filter((c) => !key.includes(c))
      const update = connection.statement(
        `UPDATE ${table} SET ${sets(columns)} WHERE ${key.map((c) => `${c} = ?`).join(' AND ')}`,
      )
      return eachRow(rows, [...columns, ...key], update)
    },
    deleteMany(table, column, values) {
      const remove = connection.statement(`DELETE FROM ${table} WHERE ${column} = ?`)
      return each(values, (value) => remove.run([value]))
    },
  }
}

/** Runs the statement for every row, with its columns in this order. */
function eachRow(
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
  statement: Statement,
): Promise<void> {
  // One array for all rows: an incident is four of them, with forty values.
  const values: Value[] = columns.map(() => null)
  return each(rows, (row) => {
    for (let at = 0; at < columns.length; at++) {
      const column = columns[at] ?? ''
      values[at] = storable(row[column], column)
    }
    statement.run(values)
  })
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
