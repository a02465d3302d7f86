// Commands that work on the database, also while a console serves from it: keys, the API switch, backup, restore, doctor.
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { isShort } from '@rookery/kernel/test/size.ts'
import { newFolder, createTokens, rookery, serve, servedFolder } from './run-rookery.ts'
import { sqliteRows } from './served-database.ts'

const at = (dataDir: string) => ({ ROOKERY_DATA_DIR: dataDir })

describe('while a console is serving', () => {
  it('`key add` makes a key that works at once, and `api-switch` disables and enables the API for all keys', async () => {
    const dataDir = newFolder()
    const console = await serve(dataDir)
    const added = await rookery(['key', 'add', '--type', 'read-only', '--note', 'offline'], at(dataDir))
    expect([added.code, added.stderr]).toEqual([0, ''])
    const key = added.stdout.trim()
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect((await console.get('/ping', {}, key)).status).toBe(200)
    expect(
      (await console.post('/flock/note/add', { flock_id: 'flock:default', note: 'n' }, key)).status,
    ).toBe(403)

    expect(await rookery(['api-switch', 'off'], at(dataDir))).toMatchObject({
      code: 0,
      stdout: 'The API is off.\n',
    })
    await expect.poll(async () => (await console.get('/ping')).status).toBe(403)
    expect((await console.get('/ping', {}, key)).status).toBe(403)
    expect((await console.post('/settings/api/enable')).status).toBe(403)
    await rookery(['api-switch', 'on'], at(dataDir))
    await expect.poll(async () => (await console.get('/ping')).status).toBe(200)
    const { json } = await console.get('/audit_trail/fetch', { user: 'local' })
    const rows = json['audit_trail'] as unknown as readonly { action_type: string; message: string }[]
    expect(rows.map(({ action_type }) => action_type)).toEqual([
      'api_keys.enable_api',
      'api_keys.disable_api',
      'api_keys.add',
    ])
    expect(rows[2]?.message).toMatch(
      /^Create an API key: auth_token_type read-only, note offline, key_id [0-9a-f]{8}\.$/,
    )
    expect((await console.stop()).code).toBe(0)
  })

  it('wrong arguments are refused by name', async () => {
    const dataDir = newFolder()
    const wrong = await rookery(['key', 'add', '--type', 'root', '--note', 'x'], at(dataDir))
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      '--type must be one of indicators, read-only, analyst, admin, not "root".\n',
    ])
    expect((await rookery(['key', 'add', '--type', 'admin'], at(dataDir))).stderr).toContain(
      "required option '--note <text>'",
    )
    expect((await rookery(['api-switch', 'maybe'], at(dataDir))).stderr).toContain(
      'Allowed choices are on, off',
    )
    expect((await rookery(['enrol', '--uses', 'ten'], at(dataDir))).stderr).toBe(
      '--uses must be a whole number, such as 20, not "ten".\n',
    )
    expect((await rookery(['doctor', '--data-dri', dataDir], at(dataDir))).stderr).toBe(
      "error: unknown option '--data-dri'\n(Did you mean --data-dir?)\nAdd --help to see what is possible.\n",
    )
  })
})

describe('backup and restore', () => {
  it('a backup under load is complete; restored elsewhere, only updated_id differs', async ({ skip }) => {
    skip(isShort)
    const dataDir = newFolder()
    const console = await serve(dataDir)
    const urls = await createTokens(console, 10)
    let isBusy = true
    let hits = 0
    const load = Promise.all(
      [0, 1].map(async (lane) => {
        while (isBusy) {
          await fetch(urls[hits++ % urls.length] ?? '', {
            headers: { 'User-Agent': `lane ${lane} hit ${hits}`, Connection: 'close' },
          })
        }
      }),
    )
    while (hits < 100) await new Promise((resolve) => setImmediate(resolve))
    const target = join(newFolder(), 'backup')
    const made = await rookery(['backup', target], at(dataDir))
    const hitsWhileCopied = hits
    expect([made.code, made.stdout]).toEqual([
      0,
      `Backed up to ${target}, without the master key: store that elsewhere.\nThe own certificate authority of the token host is left out, too: after a restore, the next start makes another.\n`,
    ])
    isBusy = false
    await load
    expect(hitsWhileCopied).toBeGreaterThan(100)
    for (const name of ['master.key', 'tokens-ca.pem']) expect(existsSync(join(target, name))).toBe(false)
    const again = await rookery(['backup', target], at(dataDir))
    expect([again.code, again.stderr]).toEqual([
      1,
      `${target} exists. Name a folder that does not exist yet.\n`,
    ])

    const elsewhere = newFolder()
    const without = await rookery(['restore', target], at(elsewhere))
    expect([without.code, without.stderr]).toEqual([
      1,
      `The backup has no master key: put the old master.key into ${elsewhere}, or set ROOKERY_MASTER_KEY.\n`,
    ])
    writeFileSync(join(elsewhere, 'master.key'), 'ab'.repeat(32))
    const wrongKey = await rookery(['restore', target], at(elsewhere))
    expect([wrongKey.code, wrongKey.stderr]).toEqual([
      1,
      expect.stringContaining('The master key is not the one'),
    ])
    expect(existsSync(join(elsewhere, 'rookery.db'))).toBe(false)

    copyFileSync(join(dataDir, 'master.key'), join(elsewhere, 'master.key'))
    expect(await rookery(['restore', target], at(elsewhere))).toMatchObject({ code: 0, stderr: '' })
    expect(sqliteRows(join(elsewhere, 'rookery.db'))).toEqual(sqliteRows(join(target, 'rookery.db')))
    const turn = (path: string) => {
      const database = new DatabaseSync(path, { readOnly: true })
      const row = database.prepare('SELECT updated_id FROM commit_sequence').get() as { updated_id: number }
      database.close()
      return row.updated_id
    }
    expect(turn(join(elsewhere, 'rookery.db')) - turn(join(target, 'rookery.db'))).toBe(2 ** 32)
    const twice = await rookery(['restore', target], at(elsewhere))
    expect([twice.code, twice.stderr]).toEqual([
      1,
      expect.stringContaining('rookery.db exists. Restore into an empty'),
    ])

    // A poller that has seen all of the first console gets the next incident of the second one.
    const all = await console.get('/incidents/all')
    const seen = Number(all.json['max_updated_id'])
    await console.stop()
    const second = await serve(elsewhere)
    const [fresh = ''] = await createTokens(second, 1)
    await fetch(fresh, { headers: { Connection: 'close' } })
    const news = await second.get('/incidents/all', { incidents_since: String(seen) })
    expect(news.json['incidents']).toHaveLength(1)
    expect((await second.stop()).code).toBe(0)
  })
})

describe('a backup', () => {
  it('`--with-key` makes a copy that needs no other key, readable by its owner alone', async ({ skip }) => {
    skip(isShort)
    const dataDir = await servedFolder()
    const { stdout } = await rookery(['key', 'add', '--type', 'admin', '--note', 'x'], at(dataDir))
    const target = join(newFolder(), 'backup')
    expect((await rookery(['backup', target, '--with-key'], at(dataDir))).stdout).toContain(
      'with its master key',
    )
    expect(statSync(join(target, 'master.key')).mode & 0o777).toBe(0o600)
    expect(statSync(target).mode & 0o777).toBe(0o700)
    const elsewhere = newFolder()
    expect((await rookery(['restore', target], at(elsewhere))).code).toBe(0)
    const examined = await rookery(['doctor'], at(elsewhere))
    expect([examined.code, examined.stderr]).toEqual([0, ''])
    const authority = readFileSync(join(dataDir, 'tokens-ca.pem'), 'utf8')
    expect(readFileSync(join(elsewhere, 'tokens-ca.pem'), 'utf8')).toBe(authority)
    for (const name of ['master.key', 'tokens-ca.pem'])
      expect(statSync(join(elsewhere, name)).mode & 0o777).toBe(0o600)
    const console = await serve(elsewhere)
    expect((await console.get('/ping', {}, stdout.trim())).status).toBe(200)
    const busy = await rookery(['restore', target], at(elsewhere))
    expect([busy.code, busy.stderr]).toEqual([
      1,
      expect.stringContaining('Another Rookery uses this data directory'),
    ])
    await console.stop()
  })

  it.each(['u:p%40:ss@127.0.0.1/db?sslpassword=k3y', 'u@127.0.0.1/db?password=p%40:ss&sslpassword=k3y'])(
    'of PostgreSQL at %s names no secret in an argument of pg_dump and pg_restore',
    async (place) => {
      const folder = newFolder()
      const seen = join(folder, 'seen')
      // A client of PostgreSQL that writes down what it is given, and where.
      const script = `#!/bin/sh\n{ echo "$PGPASSWORD" "$@"; cat "$PGPASSFILE" "$PGSERVICEFILE"; stat -c %a "$PGPASSFILE"; } > ${seen}\n`
      for (const name of ['pg_dump', 'pg_restore']) writeFileSync(join(folder, name), script, { mode: 0o700 })
      const env = {
        ...at(newFolder()),
        PATH: `${folder}:${process.env['PATH'] ?? ''}`,
        PGPASSWORD: 'another',
        ROOKERY_MASTER_KEY: 'cd'.repeat(32),
        ROOKERY_DATABASE_URL: `postgres://${place}`,
      }
      const target = join(folder, 'backup')
      for (const args of [
        ['backup', target],
        ['restore', target],
      ]) {
        await rookery(args, env)
        const [given = '', ...files] = readFileSync(seen, 'utf8').trimEnd().split('\n')
        expect(given).toMatch(/^ .*postgres:\/\/u@127\.0\.0\.1\/db\?service=rookery/)
        expect(files).toEqual(['*:*:*:*:p@\\:ss', '[rookery]', 'sslpassword=k3y', '600'])
        rmSync(seen)
      }
    },
  )

  it('a folder that is no backup is refused by name', async () => {
    const folder = newFolder()
    const { code, stderr } = await rookery(['restore', folder], at(newFolder()))
    expect([code, stderr]).toEqual([1, `${folder} is no backup: it has no backup.json.\n`])
    const empty = newFolder()
    const none = await rookery(['backup', join(folder, 'b')], at(empty))
    expect([none.code, none.stderr]).toEqual([1, `There is no database at ${join(empty, 'rookery.db')}.\n`])
    expect(existsSync(join(folder, 'b'))).toBe(false)
  })
})

it('after a restore, doctor says why a channel is wrong, before and after the first start, and what to do', async ({
  skip,
}) => {
  skip(isShort)
  const named = {
    ROOKERY_TOKENS_URL: 'http://tok.example.com',
    ROOKERY_TOKENS_TLS_URL: 'https://tok.example.com',
  }
  const dataDir = newFolder()
  const console = await serve(dataDir, named)
  await console.post('/decoytoken/create', { kind: 'kubeconfig', memo: 'of a build server' })
  await console.stop()
  const target = join(newFolder(), 'backup')
  await rookery(['backup', target, '--with-key'], at(dataDir))
  const elsewhere = newFolder()
  expect((await rookery(['restore', target], at(elsewhere))).code).toBe(0)
  const examined = async (folder: string): Promise<string> =>
    (await rookery(['doctor'], at(folder))).stdout.split('\n').find((line) => /channel +https/.test(line)) ??
    ''

  expect(await examined(dataDir)).toMatch(/^WRONG (?!.*restored)/)
  expect(await examined(elsewhere)).toMatch(
    /^WRONG .*restored from a backup, .*: all this is of the machine before\. Start the console, then run doctor again$/,
  )
  await (await serve(elsewhere, named)).stop()
  expect(await examined(elsewhere)).toMatch(
    /^WRONG .*restored from a backup, .* Let that address lead to this machine .*clients that trusted the ones before refuse/,
  )
})

describe('doctor', () => {
  const wrong = (stdout: string): string[] => stdout.split('\n').filter((line) => line.startsWith('WRONG'))

  it('finds nothing wrong with a sound installation, also while it is serving', async () => {
    const dataDir = newFolder()
    const console = await serve(dataDir)
    const { code, stdout, stderr } = await rookery(['doctor'], at(dataDir))
    expect([wrong(stdout), code, stderr]).toEqual([[], 0, ''])
    expect(stdout).toMatch(/^ok +database +.* is whole$/m)
    expect(stdout).toMatch(/^ok +audit trail +1 row; it ends at 1:[\w-]{43}$/m)
    await console.stop()
  })

  it('names the first altered row of the audit trail, and the rows that are missing behind a noted head', async ({
    skip,
  }) => {
    skip(isShort)
    const dataDir = newFolder()
    const console = await serve(dataDir)
    for (const note of ['a', 'b', 'c'])
      await console.post('/flock/note/add', { flock_id: 'flock:default', note })
    await console.stop()
    const noted = /it ends at (\S+)$/m.exec((await rookery(['doctor'], at(dataDir))).stdout)?.[1] ?? ''
    expect(noted).toMatch(/^4:/)
    expect((await rookery(['doctor', '--audit-head', noted], at(dataDir))).code).toBe(0)
    const later = await rookery(['doctor', '--audit-head', noted.replace('4:', '9:')], at(dataDir))
    expect(wrong(later.stdout)).toEqual([expect.stringContaining('rows 5 to 9 are missing at the end')])
    for (const text of ['foo', noted.replace('4:', '04:'), noted.slice(0, -1), `${noted} `]) {
      const { code, stdout, stderr } = await rookery(['doctor', '--audit-head', text], at(dataDir))
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        expect.stringContaining(`The noted end of the audit trail is "${text}"; it must be a number`),
      ])
    }

    const database = new DatabaseSync(join(dataDir, 'rookery.db'))
    database.exec("UPDATE audit SET message = 'Nothing.' WHERE id = 3")
    database.close()
    const { code, stdout } = await rookery(['doctor'], at(dataDir))
    expect([code, wrong(stdout)]).toEqual([
      1,
      [expect.stringContaining('row 3 was altered, or one before it was taken out; sound up to row 2')],
    ])
  })

  it('makes no data directory where there is none', async () => {
    const dataDir = join(newFolder(), 'dta')
    const { code, stderr } = await rookery(['doctor'], at(dataDir))
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no data directory at ${dataDir}. `)])
    expect(existsSync(dataDir)).toBe(false)
  })

  it('names each kind of damage', async ({ skip }) => {
    skip(isShort)
    const dataDir = await servedFolder()
    const key = join(dataDir, 'master.key')
    const database = join(dataDir, 'rookery.db')
    const good = readFileSync(key, 'utf8')
    const finding = async (): Promise<string> => {
      const { code, stdout } = await rookery(['doctor'], at(dataDir))
      expect([code, wrong(stdout).length], stdout).toEqual([1, 1])
      return wrong(stdout)[0] ?? ''
    }
    chmodSync(key, 0o644)
    expect(await finding()).toContain('master.key has mode 644: others may read it: chmod 600')
    chmodSync(key, 0o600)
    rmSync(join(dataDir, 'reserve'))
    expect(await finding()).toContain('/reserve is missing: the disk is full, or was')
    await (await serve(dataDir)).stop()
    writeFileSync(key, 'ab'.repeat(32))
    expect(await finding()).toContain('The master key is not the one')
    rmSync(key)
    expect(await finding()).toContain('master.key is missing, and the database was sealed under it')
    expect(existsSync(key)).toBe(false)
    writeFileSync(key, good, { mode: 0o600 })

    const bytes = readFileSync(database)
    for (const damage of [
      (copy: Buffer) => copy.fill(0xa5, 4_096, 40_960),
      (copy: Buffer) => copy.fill(0x5a, 0, 100),
    ]) {
      const copy = Buffer.from(bytes)
      damage(copy)
      writeFileSync(database, copy)
      const { code, stdout, stderr } = await rookery(['doctor'], at(dataDir))
      expect([code, stderr]).toEqual([1, ''])
      expect(wrong(stdout).join()).toContain(`${database} is damaged`)
    }
  })
})
