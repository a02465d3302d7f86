// What stores are written against: one query builder for both engines, and a few set statements.
import type { Kysely } from 'kysely'
import type { Schema } from './schema.gen.ts'

/** A handle to read through: the reader, or a transaction. */
export type Query = Kysely<Schema>

export type EngineName = 'sqlite' | 'postgres'

/** A value that both engines store as it is; the drivers refuse any other. */
export type Value = string | number | bigint | Uint8Array | null

export type Row = Readonly<Record<string, Value>>

/** A writing transaction. */
export interface Tx {
  readonly query: Query
  readonly engine: EngineName
  /** Runs a statement given as text, `?` for each value: for every batch, where building a query costs more than running it. */
  rows<R>(text: string, values: readonly Value[]): Promise<R[]>
  /** Inserts rows of one shape; `skip` leaves out rows whose key exists, `replace` overwrites every other column. */
  insertMany(table: keyof Schema & string, rows: readonly Row[], conflict?: Conflict): Promise<void>
  /** Updates rows by their key columns; every row has the key and the same other columns. */
  updateMany(table: keyof Schema & string, key: readonly string[], rows: readonly Row[]): Promise<void>
  /** Deletes the rows of one key column. */
  deleteMany(
    table: keyof Schema & string,
    column: string,
    values: readonly (string | number)[],
  ): Promise<void>
  /** Reserves `count` numbers of `updated_id` and answers the first; they rise in the order of commits. */
  updatedIds(count: number): Promise<number>
  /** Call it when settings, keys or tokens change: every console then clears its caches. */
  configChanged(): Promise<void>
  /** The version of the configuration, with what this transaction changed. */
  configVersion(): number
}

export interface Conflict {
  readonly key: readonly string[]
  readonly then: 'skip' | 'replace'
  /** Columns whose values are added to the stored ones. */
  readonly adding?: readonly string[]
}

/** Which Flocks a caller may see: all, or these ids. */
export type Scope = 'all' | readonly string[]
