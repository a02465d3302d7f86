// `rookery rekey`: the key file is replaced together with what is sealed under it.
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openProxy } from '@rookery/console/test/postgres-proxy.ts'
import { engines } from '@rookery/console/test/test-console.ts'
import { begin, newFolder, rookery, serve } from './run-rookery.ts'
import { servedDatabase } from './served-database.ts'

const at = (dataDir: string) => ({ ROOKERY_DATA_DIR: dataDir })

describe('`rekey`', () => {
  it('replaces the key of a stopped console, whatever moment it is killed at', async () => {
    const dataDir = newFolder()
    const [key, next, old] = ['', '.new', '.old'].map((end) => join(dataDir, `master.key${end}`)) as [
      string,
      string,
      string,
    ]
    const console = await serve(dataDir)
    const busy = await rookery(['rekey'], at(dataDir))
    expect([busy.code, busy.stderr]).toEqual([
      1,
      expect.stringContaining('Another Rookery uses this data directory'),
    ])
    await console.stop()
    const first = readFileSync(key, 'utf8')

    const { code, stdout } = await rookery(['rekey'], at(dataDir))
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`The old one, which backups made until now need, lies in ${old}`),
    ])
    expect(stdout).toContain(`${join(dataDir, 'tokens-ca.pem')} is not under the master key, and stays.`)
    const second = readFileSync(key, 'utf8')
    expect([second === first, readFileSync(old, 'utf8'), existsSync(next)]).toEqual([false, first, false])
    expect(statSync(key).mode & 0o777).toBe(0o600)

    // As a kill before the new name leaves them, and one before the commit.
    renameSync(key, next)
    writeFileSync(key, first, { mode: 0o600 })
    expect((await rookery(['doctor'], at(dataDir))).code).toBe(0)
    await (await serve(dataDir)).stop()
    expect([readFileSync(key, 'utf8'), existsSync(next)]).toEqual([second, false])
    writeFileSync(next, first, { mode: 0o600 })
    const served = await serve(dataDir)
    expect((await served.get('/ping')).status).toBe(200)
    await served.stop()
    expect(readFileSync(key, 'utf8')).toBe(second)
  })

  it.each(engines)('leaves a key that opens the database when it is killed (%s)', async (engine) => {
    const { env } = await servedDatabase(engine)
    for (let round = 0; round < 4; round++) {
      // The command takes some 300 ms: from the start of the process to the last rename.
      const limit = (0.1 + 0.12 * round).toFixed(2)
      await rookery(['rekey'], env, ['timeout', '-s', 'KILL', limit])
      const examined = await rookery(['doctor'], env)
      expect([round, examined.code, examined.stdout, examined.stderr]).toEqual([
        round,
        0,
        examined.stdout,
        '',
      ])
    }
  })

  it.each([
    ['the COMMIT has not reached', 'server', 'master.key'],
    ['the answer to the COMMIT has not come from', 'client', 'master.key.new'],
  ] as const)('killed while %s PostgreSQL leaves the key that counts', async (_, from, counting) => {
    const [dataDir, proxy] = [newFolder(), await openProxy()]
    const direct = { ...at(dataDir), ROOKERY_DATABASE_URL: proxy.directUrl }
    await (await serve(dataDir, direct)).stop()
    const held = proxy.holdNextCommit(from)
    const { child, ended } = begin(['rekey'], { ...direct, ROOKERY_DATABASE_URL: proxy.url })
    await Promise.race([held, ended])
    child.kill('SIGKILL')
    expect((await ended).signal).toBe('SIGKILL')

    // Two keys lie there, and only one of them opens the database.
    const [key, next] = ['master.key', 'master.key.new'].map((name) =>
      readFileSync(join(dataDir, name), 'utf8'),
    )
    expect(key).not.toBe(next)
    const right = readFileSync(join(dataDir, counting), 'utf8')
    const wrong = right === key ? next : key
    const under = (text = '') => rookery(['doctor'], { ...direct, ROOKERY_MASTER_KEY: text.trim() })
    expect([(await under(right)).code, (await under(wrong)).code]).toEqual([0, 1])

    expect((await rookery(['doctor'], direct)).code).toBe(0)
    const console = await serve(dataDir, direct)
    expect((await console.get('/ping')).status).toBe(200)
    await console.stop()
    expect(readFileSync(join(dataDir, 'master.key'), 'utf8')).toBe(right)
  })

  it('leaves the key of a command that was killed while PostgreSQL commits, also when it is run again', async () => {
    const { env } = await servedDatabase('postgres')
    const observer = new pg.Client({ connectionString: env['ROOKERY_DATABASE_URL'] })
    await observer.connect()
    onTestFinished(() => observer.end())
    // As one that waits for its standby.
    await observer.query(`
      CREATE TABLE let_go (id int8);
      CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          WHILE NOT EXISTS (SELECT 1 FROM let_go) LOOP PERFORM pg_sleep(0.02); END LOOP;
          RETURN NULL;
        END $$;
      CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON audit
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit()`)
    const waits = async (): Promise<unknown[]> =>
      (
        await observer.query<{ wait_event: string }>(
          'SELECT wait_event FROM pg_stat_activity WHERE datname = current_database() AND wait_event IS NOT NULL',
        )
      ).rows.map(({ wait_event }) => wait_event)

    const first = begin(['rekey'], env)
    await expect.poll(waits).toContain('PgSleep')
    first.child.kill('SIGKILL')
    await first.ended
    const again = rookery(['rekey'], env)
    await expect.poll(waits).toContain('transactionid')
    await observer.query('INSERT INTO let_go VALUES (1)')
    const refused = await again
    const examined = await rookery(['doctor'], env)
    expect([examined.code, examined.stdout]).toEqual([0, expect.not.stringContaining('WRONG')])
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      1,
      '',
      'The master key has just been replaced by another command.\n',
    ])
    expect(await rookery(['rekey'], env)).toMatchObject({ code: 0, stderr: '' })
  })

  it('of a key from elsewhere takes the new one from a file', async () => {
    const dataDir = newFolder()
    const [given, next] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const env = { ...at(dataDir), ROOKERY_MASTER_KEY: given }
    await (await serve(dataDir, env)).stop()
    const refused = await rookery(['rekey'], env)
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('name it with --new-key-file'),
    ])
    const file = join(newFolder(), 'next')
    writeFileSync(file, next, { mode: 0o600 })
    const done = await rookery(['rekey', '--new-key-file', file], env)
    expect([done.code, done.stderr]).toEqual([0, ''])
    expect(done.stdout).toContain('Set ROOKERY_MASTER_KEY to it')
    expect((await rookery(['doctor'], env)).code).toBe(1)
    expect((await rookery(['doctor'], { ...env, ROOKERY_MASTER_KEY: next })).code).toBe(0)
    expect(existsSync(join(dataDir, 'master.key'))).toBe(false)
  })
})
