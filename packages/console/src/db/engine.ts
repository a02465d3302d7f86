// A database as the console needs it: one way to write, one way to read, and what a doctor asks.
import type { CompiledQuery } from 'kysely'
import type { EngineName, Query, Tx } from './query.ts'
import type { CommitSequenceRow } from './commit-sequence.ts'

/** What kind of work a transaction does when the disk is full: `ingest` stops then, `care` (acknowledge, delete) goes on. */
export type Work = 'ingest' | 'care'

/** What a failure means: a full disk, a lost connection, a file that is no database any more, or nothing known. */
export type FailureKind = 'full' | 'away' | 'damaged' | 'other'

export interface Engine {
  readonly name: EngineName
  /** Reads never wait for the writer. */
  readonly reader: Query
  /** The last number given and the version of the configuration, as committed; much cheaper than through `reader`. */
  commitSequence(): Promise<CommitSequenceRow>
  /**
   * Runs a compiled read that may take seconds, away from the event loop. Rejects with `unavailable` once `limitMs` have
   * passed, if the statement asks `withinTime` (time-limit.ts).
   */
  longRead<T>(query: CompiledQuery<T>, limitMs?: number): Promise<T[]>
  /** Opens a transaction, runs the jobs in it one by one, commits. Called by the writer alone, never twice at once. */
  transaction(run: (tx: Tx) => Promise<void>): Promise<void>
  /** A transaction that changes the schema; needs no table to stand. */
  alter(run: (query: Query) => Promise<void>): Promise<void>
  /** Waits while the engine must catch up before the next commit (SQLite: a long write-ahead log). */
  ready(): Promise<void>
  /** Waits until much may be written without anybody having to wait in `ready`: for long work, between its portions. */
  checkpointed(): Promise<void>
  diagnose(error: unknown): FailureKind
  /** Whether the transaction may simply be run again (serialization failure, deadlock). */
  retryable(error: unknown): boolean
  /** Where the data lies, for messages; never with a password. */
  readonly place: string
  close(): Promise<void>
}
