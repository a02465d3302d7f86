// Kysely over a node:sqlite connection. Writing transactions start IMMEDIATE: the lock is taken before the first read.
import {
  CompiledQuery,
  Kysely,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Driver,
} from 'kysely'
import type { Schema } from '../schema.ts'
import type { Connection } from './connection.ts'

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class ImmediateDialect extends SqliteDialect {
  readonly #connection: Connection

  constructor(connection: Connection) {
    super({ database: connection })
    this.#connection = connection
  }

  override createDriver(): Driver {
    return new ImmediateDriver({ database: this.#connection })
  }
}

export const sqliteKysely = (connection: Connection): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: new ImmediateDialect(connection) })
