// A data directory and its database, on either engine, that a console has served and left; tests look into it, and change it.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { EngineName } from '@rookery/console/db/query.ts'
import { freshDatabase } from '@rookery/console/test/test-console.ts'
import { newFolder, serve, servedFolder } from './run-rookery.ts'

export type Rows = Readonly<Record<string, readonly unknown[]>>

export interface ServedDatabase {
  readonly dataDir: string
  /** The options that name both to a command. */
  readonly env: Readonly<Record<string, string>>
  /** The rows of every table, without those that a start or a restore writes. */
  rows(): Promise<Rows>
  run(statement: string): Promise<void>
}

/** The row of `meta` that a restore writes. */
const RESTORED = 'restored_at'
const WRITTEN_BY_STARTS = ['commit_sequence', 'lease']

/** Also of a database whose schema is not this release's. */
export function sqliteRows(path: string): Rows {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    return Object.fromEntries(
      tables
        .map(({ name }) => String(name))
        .filter((name) => !WRITTEN_BY_STARTS.includes(name))
        .map((name) => [
          name,
          database
            .prepare(`SELECT * FROM ${name} ORDER BY 1, 2`)
            .all()
            .filter((row) => row['name'] !== RESTORED),
        ]),
    )
  } finally {
    database.close()
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const postgresRows = (url: string): Promise<Rows> =>
  withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
    )
    const rows: Record<string, readonly unknown[]> = {}
    for (const { name } of tables.rows)
      if (!WRITTEN_BY_STARTS.includes(name))
        rows[name] = (
          await client.query(
            `SELECT to_jsonb(t) AS row FROM "${name}" t WHERE to_jsonb(t)->>'name' IS DISTINCT FROM '${RESTORED}' ORDER BY 1`,
          )
        ).rows
    return rows
  })

export async function servedDatabase(engine: EngineName): Promise<ServedDatabase> {
  if (engine === 'sqlite') {
    const dataDir = await servedFolder()
    const path = join(dataDir, 'rookery.db')
    return {
      dataDir,
      env: { ROOKERY_DATA_DIR: dataDir },
      rows: () => Promise.resolve(sqliteRows(path)),
      run(statement) {
        const database = new DatabaseSync(path)
        database.exec(statement)
        database.close()
        return Promise.resolve()
      },
    }
  }
  const [dataDir, url] = [newFolder(), await freshDatabase()]
  const env = { ROOKERY_DATA_DIR: dataDir, ROOKERY_DATABASE_URL: url }
  await (await serve(dataDir, env)).stop()
  return {
    dataDir,
    env,
    rows: () => postgresRows(url),
    run: (statement) => withClient(url, async (client) => void (await client.query(statement))),
  }
}
