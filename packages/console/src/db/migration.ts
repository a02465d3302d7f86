// The form of a migration: statements, with the SQL words that differ between the engines.
import type { EngineName } from './query.ts'

export interface SqlWords {
  readonly engine: EngineName
  /** A 64-bit integer column. */
  readonly int: string
  /** A text column that sorts by its bytes, in every locale. */
  readonly text: string
  /** A column of bytes. */
  readonly bytes: string
  /** Ends a CREATE TABLE whose rows are stored by their primary key alone. */
  readonly keyed: string
}

/** Statements of one step of the schema; additive, so that the previous release still runs on the result. */
export type Migration = (sqlWords: SqlWords) => readonly string[]

export const words = (engine: EngineName): SqlWords =>
  engine === 'sqlite'
    ? { engine, int: 'INTEGER', text: 'TEXT', bytes: 'BLOB', keyed: 'WITHOUT ROWID' }
    : { engine, int: 'BIGINT', text: 'TEXT COLLATE "C"', bytes: 'BYTEA', keyed: '' }
