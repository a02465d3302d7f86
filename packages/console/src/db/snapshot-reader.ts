// A reading connection for a thread of its own, beside the console's.
import type { EngineName, Query } from './query.ts'

/** Where to connect. Never logged: the URL may hold a password. */
export type DatabaseTarget =
  { readonly engine: 'sqlite'; readonly path: string } | { readonly engine: 'postgres'; readonly url: string }

export interface SnapshotReader {
  readonly engine: EngineName
  /** Runs reads on one snapshot of the database. */
  snapshot<T>(read: (query: Query) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export const openSnapshotReader = async (link: DatabaseTarget): Promise<SnapshotReader> =>
  link.engine === 'sqlite'
    ? (await import('./sqlite/snapshot-reader.ts')).sqliteSnapshotReader(link.path)
    : (await import('./postgres/snapshot-reader.ts')).postgresSnapshotReader(link.url)
