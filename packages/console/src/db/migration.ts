// The form of a migration: statements, in the words that differ between the engines.
import type { EngineName } from './query.ts'

export interface Words {
  readonly engine: EngineName
  /** A 64-bit integer column. */
  readonly int: string
  /** A text column that sorts by its bytes, whatever the database's language. */
  readonly text: string
  /** Ends a CREATE TABLE whose primary key is the row's only address. */
  readonly keyed: string
}

/** Statements that take the schema one step on; additive, so that the previous release still runs on the result. */
export type Migration = (words: Words) => readonly string[]

export const words = (engine: EngineName): Words =>
  engine === 'sqlite'
    ? { engine, int: 'INTEGER', text: 'TEXT', keyed: 'WITHOUT ROWID' }
    : { engine, int: 'BIGINT', text: 'TEXT COLLATE "C"', keyed: '' }
