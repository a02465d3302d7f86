// A database as the console needs it: one way to write, one way to read, and what `rookery doctor` examines.
import type { CompiledQuery } from 'kysely'
import type { EngineName, Query, Tx } from './query.ts'
import type { CommitSequenceRow } from './commit-sequence.ts'

/** While the disk is full, `ingest` is refused, and `care` (acknowledge, delete) goes on. */
export type Work = 'ingest' | 'care'

/** The disk is full, the database is away (does not answer, or refuses the console), its file is damaged, or anything else. */
export type FailureKind = 'full' | 'away' | 'damaged' | 'other'

export interface Engine {
  readonly name: EngineName
  /** Reads never wait for the writer. */
  readonly reader: Query
  /** The last committed `updated_id` and version of the configuration; much cheaper than through `reader`. */
  commitSequence(): Promise<CommitSequenceRow>
  /**
   * Runs a compiled read that may take seconds, away from the event loop. Rejects with `unavailable` once `limitMs` have
   * passed, if the statement asks `withinTime` (time-limit.ts).
   */
  longRead<T>(query: CompiledQuery<T>, limitMs?: number): Promise<T[]>
  /** Opens a transaction, runs the jobs in it one by one, commits. Called by the writer alone, never twice at once. */
  transaction(run: (tx: Tx) => Promise<void>): Promise<void>
  /** A transaction that changes the schema; works on an empty database. */
  alter(run: (query: Query) => Promise<void>): Promise<void>
  /** Waits while the next commit must wait (SQLite: while the write-ahead log is too long). */
  ready(): Promise<void>
  /** Waits until little of the write-ahead log is left to copy: bulk work calls it between its chunks. */
  checkpointed(): Promise<void>
  diagnose(error: unknown): FailureKind
  /** Whether `diagnose` has seen damage since the start: what is damaged stays so, although other pages can be read. */
  isDamaged(): boolean
  /** Whether the transaction may be run again (serialization failure, deadlock). */
  retryable(error: unknown): boolean
  /** Whatever waits for the server, and whatever is asked of it from now on, fails as away. A file has no server. */
  readonly abandon?: () => void
  /** Where the data lies, for messages; never with a password. */
  readonly place: string
  close(): Promise<void>
}
