// One SQLite connection with its prepared statements kept: preparing costs more than most look-ups.
import { DatabaseSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { storable } from '../values.ts'
import { shaped, type Statement } from './statement.ts'

export interface Connection extends SqliteDatabase {
  readonly raw: DatabaseSync
  /** The prepared statement of this text, from the cache or new. */
  statement(sql: string): Statement
  /** Drops the prepared statements: after a change of the schema their columns may be others. */
  forget(): void
}

const STATEMENTS = limit('sqlite_statement_cache', 400)
/**
 * Pages in memory fill up to this, and are never given back; the system keeps the file's pages, too. The writer's own are
 * those that every touch changes: asking the system for them costs a call each.
 */
const READING_KIB = 8_000
const WRITING_KIB = 16_000

export function connect(path: string, options: { readOnly: boolean }): Connection {
  // Waiting stops the thread: the writer waits in its own way (engine.ts).
  const raw = new DatabaseSync(path, { readOnly: options.readOnly, timeout: options.readOnly ? 5_000 : 50 })
  raw.exec(
    `PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-${options.readOnly ? READING_KIB : WRITING_KIB}`,
  )
  const cache = boundedMap<string, Prepared>(STATEMENTS)

  const prepared = (sql: string): Prepared => {
    const kept = cache.get(sql)
    if (kept) return kept
    const made: Prepared = { statement: shaped(raw.prepare(sql)) }
    cache.set(sql, made)
    return made
  }

  return {
    raw,
    statement: (sql) => prepared(sql).statement,
    prepare(sql) {
      const made = prepared(sql)
      return (made.spoken ??= spoken(made.statement))
    },
    forget: () => cache.clear(),
    close: () => raw.close(),
  }
}

interface Prepared {
  readonly statement: Statement
  /** As the query builder speaks to it. */
  spoken?: SqliteStatement
}

const spoken = (statement: Statement): SqliteStatement => ({
  reader: statement.reads,
  all: (values) => statement.all(values.map(storable)),
  run: (values) => statement.run(values.map(storable)),
  iterate: (values) => statement.iterate(values.map(storable)),
})
