// A reading connection for a thread of its own, beside the console's.
import type { EngineName, Query } from './query.ts'

/** Where to connect. Never logged: the URL may hold a password. */
export type Link =
  { readonly engine: 'sqlite'; readonly path: string } | { readonly engine: 'postgres'; readonly url: string }

export interface Beside {
  readonly engine: EngineName
  /** Runs reads on one snapshot of the database. */
  snapshot<T>(read: (query: Query) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export const openBeside = async (link: Link): Promise<Beside> =>
  link.engine === 'sqlite'
    ? (await import('./sqlite/beside.ts')).besideSqlite(link.path)
    : (await import('./postgres/beside.ts')).besidePostgres(link.url)
