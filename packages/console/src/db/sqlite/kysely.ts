// Kysely over a node:sqlite connection. Writing transactions start IMMEDIATE: the lock is taken before the first read.
import {
  CompiledQuery,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
} from 'kysely'
import type { Schema } from '../schema.gen.ts'
import type { Connection } from './connection.ts'

class ImmediateDriver extends SqliteDriver {
  readonly #connection: Connection

  constructor(connection: Connection) {
    super({ database: connection })
    this.#connection = connection
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  /** On a full disk SQLite rolls back by itself; a second ROLLBACK would hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.raw.isTransaction) await super.rollbackTransaction(connection)
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #connection: Connection

  constructor(connection: Connection) {
    super({ database: connection })
    this.#connection = connection
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#connection)
  }
}

export const sqliteKysely = (connection: Connection): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: new ImmediateDialect(connection) })
