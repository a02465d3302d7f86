// A database as the console needs it: one way to write, one way to read, and what a doctor asks.
import type { CompiledQuery } from 'kysely'
import type { Link } from './beside.ts'
import type { EngineName, Query, Tx } from './query.ts'
import type { TurnRow } from './turn.ts'

/** What kind of work a transaction does when the disk is full: `ingest` stops then, `care` (acknowledge, delete) goes on. */
export type Work = 'ingest' | 'care'

/** What a failure means: a full disk, a lost connection, a file that is no database any more, or nothing known. */
export type Meaning = 'full' | 'away' | 'damaged' | 'other'

export interface Engine {
  readonly name: EngineName
  /** Reads never wait for the writer. */
  readonly reader: Query
  /** The last number given and the version of the configuration, as committed; much cheaper than through `reader`. */
  turn(): Promise<TurnRow>
  /** Runs a compiled read that may take seconds, away from the event loop. */
  longRead<T>(query: CompiledQuery<T>): Promise<T[]>
  /** Opens a transaction, runs the jobs in it one by one, commits. Called by the writer alone, never twice at once. */
  transaction(run: (tx: Tx) => Promise<void>): Promise<void>
  /** A transaction that changes the schema; needs no table to stand. */
  alter(run: (query: Query) => Promise<void>): Promise<void>
  /** Waits while the engine must catch up before the next commit (SQLite: a long write-ahead log). */
  ready(): Promise<void>
  /** Waits until much may be written without anybody having to wait in `ready`: for long work, between its portions. */
  eased(): Promise<void>
  diagnose(error: unknown): Meaning
  /** Whether the transaction may simply be run again (serialization failure, deadlock). */
  retryable(error: unknown): boolean
  /** Where the data lies, for messages; never with a password. */
  readonly place: string
  /** Where a thread of its own connects (beside.ts). */
  readonly link: Link
  close(): Promise<void>
}
