// A command next to a console of another release: it opens the database as it is, and never migrates it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { engines, freshDatabase } from '@rookery/console/test/test-console.ts'
import { newFolder, rookery } from './run-rookery.ts'
import { postgresRows, servedDatabase } from './served-database.ts'

const COMMANDS = [['key', 'add', '--type', 'admin', '--note', 'x'], ['enrol'], ['api-switch', 'off']]

describe.each(engines)('a command next to a console of another release (%s)', (engine) => {
  it.each([
    [
      'DELETE FROM schema_migration WHERE name = (SELECT max(name) FROM schema_migration)',
      /was written by an older Rookery: 1 of \d+ migrations are missing, the first is \S+\. Start the console of this release once\./,
    ],
    [
      "INSERT INTO schema_migration (name, applied_at) VALUES ('9999-later', 0)",
      /was written by a newer Rookery \(migration 9999-later\)\. Start that release/,
    ],
  ])('changes nothing, and says how the schema differs: %s', async (statement, difference) => {
    const { env, rows, run } = await servedDatabase(engine)
    await run(statement)
    const before = await rows()
    expect(before['audit']).not.toEqual([])
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await rookery(command, env)
      expect([code, stdout, stderr], command.join(' ')).toEqual([1, '', expect.stringMatching(difference)])
    }
    const { code, stdout } = await rookery(['doctor'], env)
    expect([code, stdout]).toEqual([1, expect.stringMatching(difference)])
    expect(stdout.split('\n').filter((line) => line.startsWith('WRONG'))).toHaveLength(1)
    expect(await rows()).toEqual(before)
  })
})

describe('a command where no console has started', () => {
  it('makes no database', async () => {
    for (const command of COMMANDS) {
      const dataDir = newFolder()
      const { code, stderr } = await rookery(command, { ROOKERY_DATA_DIR: dataDir })
      const path = join(dataDir, 'rookery.db')
      expect([code, stderr]).toEqual([
        1,
        `There is no database at ${path}. Start the console once: it makes it.\n`,
      ])
      expect([existsSync(path), existsSync(join(dataDir, 'master.key'))]).toEqual([false, false])
    }
  })

  it('makes no table in an empty database of PostgreSQL, and no key', async () => {
    const [dataDir, url] = [newFolder(), await freshDatabase('without tables')]
    const env = { ROOKERY_DATA_DIR: dataDir, ROOKERY_DATABASE_URL: url }
    for (const command of [...COMMANDS, ['doctor']]) {
      const { code, stdout, stderr } = await rookery(command, env)
      expect([code, stdout + stderr], command.join(' ')).toEqual([
        1,
        expect.stringContaining('Start the console'),
      ])
      expect([await postgresRows(url), existsSync(join(dataDir, 'master.key'))]).toEqual([{}, false])
    }
  })
})
