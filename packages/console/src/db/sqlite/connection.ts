// One SQLite connection with a cache of prepared statements: preparing costs more than most look-ups.
import { DatabaseSync } from 'node:sqlite'
import type { SqliteDatabase, SqliteStatement } from 'kysely'
import { boundedMap } from '@rookery/kernel/bounded-map.ts'
import { limit } from '@rookery/kernel/limit.ts'
import { storable } from '../values.ts'
import { withPlainRows, type Statement } from './statement.ts'

export interface Connection extends SqliteDatabase {
  readonly raw: DatabaseSync
  /** The prepared statement of this text, from the cache or new. */
  statement(sql: string): Statement
  /** Drops the prepared statements: a change of the schema may change their columns. */
  clearStatements(): void
}

/** Prepared statements of a connection. */
const STATEMENTS = limit('sqlite_statement_cache', 400)
/**
 * Cached pages fill up to this, and are never freed; the system caches the file, too. Every touch changes pages of the
 * writer: a cache of its own saves it a system call each.
 */
const READING_KIB = 8_000
const WRITING_KIB = 16_000

export function connect(path: string, options: { readOnly: boolean }): Connection {
  // Waiting blocks the thread: the writer retries instead (engine.ts).
  const raw = new DatabaseSync(path, { readOnly: options.readOnly, timeout: options.readOnly ? 5_000 : 50 })
  raw.exec(
    `PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-${options.readOnly ? READING_KIB : WRITING_KIB}`,
  )
  const cache = boundedMap<string, Prepared>(STATEMENTS)

  const prepared = (sql: string): Prepared => {
    const cached = cache.get(sql)
    if (cached) return cached
    const made: Prepared = { statement: withPlainRows(raw.prepare(sql)) }
    cache.set(sql, made)
    return made
  }

  return {
    raw,
    statement: (sql) => prepared(sql).statement,
    prepare(sql) {
      const made = prepared(sql)
      return (made.kysely ??= kyselyStatement(made.statement))
    },
    clearStatements: () => cache.clear(),
    close: () => raw.close(),
  }
}

interface Prepared {
  readonly statement: Statement
  /** The form that the query builder calls. */
  kysely?: SqliteStatement
}

const kyselyStatement = (statement: Statement): SqliteStatement => ({
  reader: statement.reads,
  all: (values) => statement.all(values.map(storable)),
  run: (values) => statement.run(values.map(storable)),
  iterate: (values) => statement.iterate(values.map(storable)),
})
