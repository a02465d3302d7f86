// A damaged page: what needs it says so, and the console is not ready from then on.
import { closeSync, openSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { EngineName } from '../../src/db/query.ts'
import { freshDatabase, openTestConsole, type TestConsole } from '../test-console.ts'

const TABLE = 'user_account'

/** Overwrites the first page of the table; no console may have the file open. */
function damageSqlite(path: string, table: string): void {
  const database = new DatabaseSync(path)
  const root = database.prepare("SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?")
  const { rootpage } = root.get(table) as { rootpage: number }
  const { page_size } = database.prepare('PRAGMA page_size').get() as { page_size: number }
  database.close()
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(page_size, 0xff), 0, page_size, (rootpage - 1) * page_size)
  closeSync(file)
}

/** Each read of the table fails as one of a page with a wrong check sum (XX001) or of a broken index (XX002). */
async function damagePostgres(url: string, table: string, code: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    ALTER TABLE "${table}" RENAME TO whole;
    CREATE FUNCTION damaged() RETURNS boolean LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'invalid page in block 0' USING ERRCODE = '${code}'; END $$;
    CREATE VIEW "${table}" AS SELECT * FROM whole WHERE damaged()`)
  await client.end()
}

async function openDamaged(engine: EngineName, code: string): Promise<TestConsole> {
  const url = engine === 'postgres' ? await freshDatabase() : ''
  const rookery = await openTestConsole({ env: url === '' ? {} : { ROOKERY_DATABASE_URL: url } })
  await rookery.api.users.create({ email: 'ann@example.com', password: 'kestrel over the harbour' })
  await rookery.console.stop()
  if (url === '') damageSqlite(rookery.console.folder.database, TABLE)
  else await damagePostgres(url, TABLE, code)
  await rookery.restart()
  return rookery
}

describe.each([
  ['sqlite', 'SQLITE_CORRUPT'],
  ['postgres', 'XX001'],
  ['postgres', 'XX002'],
] as const)('a damaged page (%s, %s)', (engine, code) => {
  it('is a 503 that says so, and /readyz says so from then on', async () => {
    const rookery = await openDamaged(engine, code)
    const readyz = async (): Promise<[number, string]> => {
      const response = await fetch(`${rookery.console.apiUrl}/readyz`)
      return [response.status, await response.text()]
    }
    expect((await readyz())[0]).toBe(200)
    const { status, json } = await rookery.get('/users/list')
    expect([status, json['message']]).toEqual([503, expect.stringContaining('The database is damaged')])
    expect((await rookery.get('/ping')).status).toBe(200)
    expect(await readyz()).toEqual([503, expect.stringContaining('restore a backup')])
  })

  it('is one as well where a long read finds it', async () => {
    const { base } = (await openDamaged(engine, code)).console
    const read = base.engine.longRead(base.reader.selectFrom(TABLE).selectAll().compile())
    const error: unknown = await read.then(
      () => undefined,
      (failure: unknown) => failure,
    )
    expect(base.outage(error)?.message).toContain('The database is damaged')
  })
})
