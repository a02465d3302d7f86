// Copies the rows of a table into the same table of another database, in the order of its key, so that a copy that was
// stopped goes on behind the last key that it has.
import { sql } from 'kysely'
import type { Engine } from './engine.ts'
import type { Row, Tx, Value } from './query.ts'
import type { StoredTable } from './stored-tables.ts'

export type Key = readonly (string | number)[]

export interface TableCopy {
  readonly source: Pick<Engine, 'reader'>
  readonly target: Pick<Engine, 'transaction' | 'ready'>
  readonly table: StoredTable
  /** The key of the last row that the target has; undefined for none. */
  readonly after: Key | undefined
  /** Called in each transaction with the number of its rows and the key of the last one. */
  readonly note: (tx: Tx, rows: number, last: Key) => Promise<void>
}

const FIRST_ROWS = 100
const MAX_ROWS = 10_000
/** Of a transaction, about: files are stored in pieces of 256 KiB. */
const CHUNK_BYTES = 4_000_000

export async function copyTable({ source, target, table, after, note }: TableCopy): Promise<void> {
  let reading = readRows(source, table, after, FIRST_ROWS)
  for (;;) {
    const rows = await reading
    const last = rows.at(-1)
    if (!last) return
    const key = table.key.map((column) => last[column] as string | number)
    // One database reads while the other one writes.
    reading = readRows(source, table, key, nextRows(rows))
    reading.catch(() => undefined)
    await target.ready()
    await target.transaction(async (tx) => {
      await tx.insertMany(table.name, tx.engine === 'postgres' ? rows.map(withHexBytes) : rows)
      await note(tx, rows.length, key)
    })
  }
}

async function readRows(
  { reader }: TableCopy['source'],
  { name, columns, key }: StoredTable,
  after: Key | undefined,
  limit: number,
): Promise<readonly Row[]> {
  const keys = sql.join(key.map((column) => sql.ref(column)))
  const rest = after ? sql`WHERE (${keys}) > (${sql.join(after)})` : sql``
  const asked = sql<Row>`SELECT ${sql.join(columns.map((column) => sql.ref(column)))} FROM ${sql.table(name)} ${rest}
    ORDER BY ${keys} LIMIT ${sql.lit(limit)}`
  return (await asked.execute(reader)).rows
}

/** As many as are about the size of a chunk, if they are like these. */
function nextRows(rows: readonly Row[]): number {
  let bytes = 1
  for (const row of rows) for (const value of Object.values(row)) bytes += sizeOf(value)
  return Math.min(MAX_ROWS, Math.max(1, Math.floor((CHUNK_BYTES * rows.length) / bytes)))
}

const sizeOf = (value: Value): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8

/** Rows go to PostgreSQL as JSON: bytes in the form that it reads (postgresql.org, "bytea Hex Format"). */
const withHexBytes = (row: Row): Row =>
  Object.values(row).some((value) => value instanceof Uint8Array)
    ? Object.fromEntries(Object.entries(row).map(([column, value]) => [column, asHex(value)]))
    : row

const asHex = (value: Value): Value =>
  value instanceof Uint8Array
    ? `\\x${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}`
    : value
