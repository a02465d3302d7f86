// One SQLite connection with its prepared statements kept: preparing costs more than most look-ups.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { SqliteDatabase } from 'kysely'
import { storable } from '../values.ts'

export interface Connection extends SqliteDatabase {
  readonly raw: DatabaseSync
  /** The prepared statement of this text, from the cache or new. */
  statement(sql: string): StatementSync
}

const CACHED_STATEMENTS = 400

export function connect(path: string, options: { readOnly: boolean }): Connection {
  // Waiting stops the thread: the writer waits in its own way (engine.ts).
  const raw = new DatabaseSync(path, { readOnly: options.readOnly, timeout: options.readOnly ? 5_000 : 50 })
  raw.exec(
    'PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-16000',
  )
  const cache = new Map<string, StatementSync>()

  const statement = (sql: string): StatementSync => {
    const kept = cache.get(sql)
    if (kept) return kept
    const made = raw.prepare(sql)
    cache.set(sql, made)
    if (cache.size > CACHED_STATEMENTS) cache.delete(cache.keys().next().value ?? sql)
    return made
  }

  return {
    raw,
    statement,
    prepare(sql) {
      const prepared = statement(sql)
      const bind = (values: readonly unknown[]): SQLInputValue[] => values.map(storable)
      return {
        reader: prepared.columns().length > 0,
        all: (values) => prepared.all(...bind(values)),
        run: (values) => prepared.run(...bind(values)),
        iterate: (values) => prepared.iterate(...bind(values)),
      }
    },
    close: () => raw.close(),
  }
}
