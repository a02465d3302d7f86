// SQLite's plans of what stores ask, over the product's tables.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { migrate } from '../src/db/migrate.ts'
import { migrations } from '../src/db/migrations.gen.ts'
import type { Query } from '../src/db/query.ts'
import { connect } from '../src/db/sqlite/connection.ts'
import { openSqlite } from '../src/db/sqlite/engine.ts'
import { sqliteKysely } from '../src/db/sqlite/kysely.ts'
import { LIMIT_FUNCTION } from '../src/db/time-limit.ts'
import { ownFolder } from './own-folder.ts'

export interface QueryPlans {
  readonly db: Query
  /** The texts of the statements that were run through `db` since the last call. */
  asked(): string[]
  /** The steps of a statement's plan (`EXPLAIN QUERY PLAN`). */
  planOf(sql: string): string[]
}

export async function openQueryPlans(): Promise<QueryPlans> {
  const folder = ownFolder()
  const path = join(folder, 'x.db')
  const engine = openSqlite(path)
  await migrate(engine, migrations, () => 0)
  await engine.close()
  const connection = connect(path, { readOnly: true })
  onTestFinished(() => connection.close())
  connection.raw.function(LIMIT_FUNCTION, () => 1)
  let asked: string[] = []
  return {
    db: sqliteKysely({
      ...connection,
      prepare(sql) {
        asked.push(sql)
        return connection.prepare(sql)
      },
    }),
    asked() {
      const since = asked
      asked = []
      return since
    },
    planOf(sql) {
      const values = (sql.match(/\?/g) ?? []).map(() => 0)
      const steps = connection.raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
      return (steps as { detail: string }[]).map(({ detail }) => detail)
    },
  }
}
