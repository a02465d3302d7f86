// A query must cost what it answers, however much is stored. Each statement that the tests of this run made the product ask
// (query-log.ts) is explained by its engine; what reads a whole table or index has a reason in scan-reasons.data.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import type { EngineName } from '../src/db/query.ts'
import { LIMIT_FUNCTION } from '../src/db/time-limit.ts'
import { fillTables } from './fill-tables.ts'
import { queryLogFolder, type AskedQuery } from './query-log.ts'
import { scanReasons } from './scan-reasons.data.ts'
import { postgresScans, sqliteScans, type PlanNode } from './scans.ts'
import { engines, freshDatabase } from './test-console.ts'

/** What a statement reads from end to end: names as they stand in it. */
type Explain = (query: AskedQuery) => Promise<string[]>

it.each(engines)('no query of the product reads a whole table of %s without a reason', async (engine) => {
  const explain = engine === 'sqlite' ? openSqlite() : await openPostgres()
  const unnamed: Record<string, string> = {}
  for (const query of asked(engine)) {
    for (const name of await explain(query)) {
      const scan = `${query.place}: ${name}`
      if (!scanReasons.has(scan)) unnamed[scan] ??= query.sql
    }
  }
  expect(unnamed).toEqual({})
})

const PLANNED = /^(select|insert|update|delete|with)\b/i

function asked(engine: EngineName): AskedQuery[] {
  const folder = queryLogFolder()
  const files = existsSync(folder) ? readdirSync(folder) : []
  const lines = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
  const all = lines.map((line) => JSON.parse(line) as AskedQuery)
  // PostgreSQL takes several statements in one text.
  const each = all.flatMap((it) => it.sql.split(';').map((sql) => ({ ...it, sql: sql.trim() })))
  const own = each.filter((it) => it.engine === engine && PLANNED.test(it.sql))
  return [...new Map(own.map((it) => [`${it.place} ${it.sql}`, it])).values()]
}

/** Without statistics SQLite plans the same, however many rows there are. */
function openSqlite(): Explain {
  const database = new DatabaseSync(inject('sqliteModel'), { readOnly: true })
  onTestFinished(() => database.close())
  database.function(LIMIT_FUNCTION, () => 1)
  return ({ sql, values }) => {
    // A value that is a partial index's own makes it usable.
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values) as { detail: string }[]
    return Promise.resolve(sqliteScans(steps.map(({ detail }) => detail)))
  }
}

async function openPostgres(): Promise<Explain> {
  const client = new pg.Client({ connectionString: await freshDatabase() })
  await client.connect()
  onTestFinished(() => client.end())
  await fillTables(client)
  return async ({ sql, values }) => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) ${sql}`,
      [...values],
    )
    return rows.flatMap((row) => postgresScans(row['QUERY PLAN'][0].Plan))
  }
}
