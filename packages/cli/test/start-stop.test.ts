// Starting with wrong arguments or a wrong data directory, and stopping: each error names its cause.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { isShort } from '@rookery/kernel/test/size.ts'
import { FREE_PORTS } from '@rookery/console/test/free-ports.ts'
import { newFolder, createTokens, npmStart, rookery, serve, servedFolder } from './run-rookery.ts'

describe('a start refuses, by name,', () => {
  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['an unknown option', ['serve', '--lisen', 'x'], {}, /unknown option '--lisen'[^]*Did you mean --listen/],
    ['an unknown command', ['sevre'], {}, /unknown command 'sevre'/],
    [
      'an unknown variable',
      ['serve'],
      { ROOKERY_LISTENN: 'x' },
      /^ROOKERY_LISTENN is not an option of Rookery\. Did you mean ROOKERY_LISTEN\?/,
    ],
    ['a wrong flag', ['serve', '--listen', '80'], {}, /^ROOKERY_LISTEN must be host:port, .*, not "80"\.$/m],
    [
      'a wrong variable',
      ['serve'],
      { ROOKERY_KEYS: 'never' },
      /^ROOKERY_KEYS must be recoverable or show-once, not "never"\.$/m,
    ],
    [
      'a wrong secret, without printing it',
      ['serve'],
      { ROOKERY_MASTER_KEY: 'hunter2' },
      /^ROOKERY_MASTER_KEY must be 64 hex digits; its value is not shown\.$/m,
    ],
    [
      'an unknown part',
      ['serve', '--parts', 'api,web'],
      {},
      /^--parts must be some of api, tokens, link, not "web"\.$/m,
    ],
    [
      'an address that is not here',
      ['serve', '--listen', '192.0.2.1:8080'],
      {},
      /^ROOKERY_LISTEN: 192\.0\.2\.1 is not an address of this machine\.$/m,
    ],
    [
      'a database that is away',
      ['serve'],
      { ROOKERY_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/none' },
      /^The database does not answer: postgres:\/\/127\.0\.0\.1:1\/none\.\n {2}connect ECONNREFUSED 127\.0\.0\.1:1\n {2}PostgreSQL must run there/m,
    ],
  ])('%s', async (_name, args, env, message) => {
    const ended = await rookery(args, { ROOKERY_DATA_DIR: newFolder(), ...FREE_PORTS, ...env })
    expect(ended.code, ended.stdout).toBe(1)
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr + ended.stdout).not.toContain('hunter2')
    expect(ended.stderr).not.toMatch(/^\s+at /m)
  })
})

it.each<[string, Partial<URL>, RegExp]>([
  ['a wrong password', { password: 'hunter2' }, /password authentication failed for user "\w+" \(28P01\)/],
  ['a database that is not there', { pathname: '/nowhere' }, /database "nowhere" does not exist \(3D000\)/],
  ['a server without TLS', { search: '?sslmode=verify-full' }, /The server does not support SSL connections/],
  ['a host without an address', { host: 'nowhere.invalid' }, /(ENOTFOUND|EAI_AGAIN) nowhere\.invalid/],
])('a start says in the words of PostgreSQL why it is refused: %s', async (_name, changed, reason) => {
  const url = Object.assign(new URL(inject('postgresUrl')), changed)
  const ended = await rookery(['serve'], {
    ROOKERY_DATA_DIR: newFolder(),
    ...FREE_PORTS,
    ROOKERY_DATABASE_URL: url.href,
  })
  expect([ended.code, ended.stderr.split('\n')]).toEqual([
    1,
    [
      expect.stringMatching(/^The database (refuses the console|does not answer): .*\.$/),
      expect.stringMatching(reason),
      expect.stringContaining('ROOKERY_DATABASE_URL'),
      '',
    ],
  ])
  expect(ended.stderr).toContain(url.hostname + ':' + (url.port || '5432'))
  expect(ended.stderr).not.toContain(`:${url.password}@`)
})

describe.skipIf(isShort)('a start also refuses', () => {
  it('a port that is in use', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void taken.close())
    const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`
    for (const name of ['ROOKERY_LISTEN', 'ROOKERY_TOKENS_LISTEN']) {
      const ended = await rookery(['serve'], {
        ROOKERY_DATA_DIR: newFolder(),
        ...FREE_PORTS,
        [name]: address,
      })
      expect([ended.code, ended.stderr]).toEqual([
        1,
        expect.stringContaining(`${name}: ${address} is in use by another program.`),
      ])
    }
  })

  it('a data directory that cannot be one', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'below'), '/proc/nothing/below']) {
      const ended = await rookery(['serve'], { ROOKERY_DATA_DIR: path, ...FREE_PORTS })
      expect([ended.code, ended.stderr]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^The data directory ${path} cannot be used: `)),
      ])
    }
  })

  it('a damaged database, one of a newer release, and one under another master key', async () => {
    const dataDir = await servedFolder()
    const path = join(dataDir, 'rookery.db')
    const start = () => rookery(['serve'], { ROOKERY_DATA_DIR: dataDir, ...FREE_PORTS })

    const key = join(dataDir, 'master.key')
    const good = readFileSync(key, 'utf8')
    writeFileSync(key, 'ab'.repeat(32))
    expect((await start()).stderr).toMatch(
      /^The master key is not the one that .*rookery\.db was sealed under/,
    )
    rmSync(key)
    expect((await start()).stderr).toMatch(/^.*master\.key is missing, and the database was sealed under it/)
    writeFileSync(key, 'short', { mode: 0o600 })
    expect((await start()).stderr).toMatch(/^.*master\.key must be 64 hex digits, and is 5 characters long/)
    writeFileSync(key, good)

    const database = new DatabaseSync(path)
    database.exec("INSERT INTO schema_migration VALUES ('2099-01-01T0000-tomorrow', 0)")
    database.close()
    expect((await start()).stderr).toMatch(
      /rookery\.db was written by a newer Rookery \(migration 2099-01-01T0000-tomorrow\)/,
    )
    writeFileSync(path, 'this was a database once, and is a text now'.repeat(1_000))
    const damaged = await start()
    expect([damaged.code, damaged.stderr]).toEqual([
      1,
      expect.stringMatching(/^The database is damaged: .*rookery\.db cannot be read/),
    ])
  })

  it('a data directory that another console uses, but not one that a killed console has left', async ({
    skip,
  }) => {
    skip(isShort)
    const dataDir = newFolder()
    const first = await serve(dataDir)
    const second = await rookery(['serve'], { ROOKERY_DATA_DIR: dataDir, ...FREE_PORTS })
    expect([second.code, second.stderr]).toEqual([
      1,
      expect.stringContaining(
        `Another Rookery uses this data directory: ${join(dataDir, 'lock')} is locked.`,
      ),
    ])
    const [url = ''] = await createTokens(first, 1)
    await fetch(url, { headers: { Connection: 'close' } })
    expect((await first.stop('SIGKILL')).signal).toBe('SIGKILL')
    const third = await serve(dataDir)
    expect((await third.get('/incidents/all')).json['incidents']).toHaveLength(1)
    await third.stop()
  })
})

describe('`rookery --help`', () => {
  it('lists the commands, and every option of one with its variable', async () => {
    const { code, stdout } = await rookery(['--help'])
    expect(code).toBe(0)
    for (const name of ['up', 'serve', 'bird', 'key', 'api-switch', 'backup', 'restore', 'doctor'])
      expect(stdout).toMatch(new RegExp(`^ +${name}\\b`, 'm'))
    const { OPTIONS } = await import('@rookery/console/config/options.ts')
    const { stdout: serveHelp } = await rookery(['serve', '--help'])
    for (const [name, { flag }] of Object.entries(OPTIONS)) {
      expect(serveHelp).toContain(flag)
      expect(serveHelp).toContain(name)
    }
  })

  it('has no flag whose value is a secret', async ({ skip }) => {
    skip(isShort)
    const key = 'ab'.repeat(32)
    const refused = await rookery(['doctor', '--master-key', key])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("unknown option '--master-key'"),
    ])
    const dataDir = newFolder()
    const file = join(dataDir, 'given.key')
    writeFileSync(file, `${key}\n`, { mode: 0o644 })
    await (await serve(dataDir, { ROOKERY_MASTER_KEY_FILE: file })).stop()
    const add = ['key', 'add', '--type', 'admin', '--note', 'from a file', '--master-key-file', file]
    const made = await rookery(add, { ROOKERY_DATA_DIR: dataDir })
    expect([made.code, made.stderr]).toEqual([
      0,
      expect.stringContaining(`--master-key-file ${file}: the file has mode`),
    ])
    const other = await rookery(add.slice(0, -2), {
      ROOKERY_DATA_DIR: dataDir,
      ROOKERY_MASTER_KEY: 'cd'.repeat(32),
    })
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('The master key is not the one')])
  })
})

describe('stopping', () => {
  it('does not wait for open connections', async () => {
    const console = await serve(newFolder())
    const [token = ''] = await createTokens(console, 1)
    const requests: string[] = [
      'GET /api/v1/ping HTTP/1.1\r\nHost: x\r\n',
      '',
      'POST /api/v1/ping HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na=',
    ]
    for (const url of [console.apiUrl, console.tokensUrl]) {
      for (const bytes of requests) {
        const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
        socket.on('error', () => undefined)
        onTestFinished(() => void socket.destroy())
        await new Promise((resolve) => socket.once('connect', resolve))
      }
    }
    await fetch(token, { headers: { Connection: 'close' } })
    const { code, stderr } = await console.stop()
    expect([code, stderr.split('\n').filter((line) => line.includes('took longer than 5 s'))]).toEqual([
      0,
      [],
    ])
  })

  it('SIGTERM to `npm start` ends the console', async () => {
    const dataDir = newFolder()
    const first = await npmStart(dataDir)
    expect((await first.get('/ping')).status).toBe(200)
    // The output closes once npm and the console have both ended.
    await first.stop('SIGTERM')
    await expect(first.get('/ping')).rejects.toThrow('fetch failed')
    const second = await serve(dataDir)
    expect((await second.get('/ping')).status).toBe(200)
  })

  it('a second signal ends the process at once', async ({ skip }) => {
    skip(isShort)
    const console = await serve(newFolder())
    const socket = connect(Number(new URL(console.apiUrl).port), '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\n'),
    )
    socket.on('error', () => undefined)
    await new Promise((resolve) => socket.once('connect', resolve))
    console.child.kill('SIGTERM')
    // It has begun to stop: it takes no new connection.
    const ping = () =>
      console.get('/ping').then(
        ({ status }) => status,
        () => 'refused',
      )
    await expect.poll(ping).toBe('refused')
    const { code, signal } = await console.stop('SIGINT')
    expect([code, signal]).toEqual([130, null])
    socket.destroy()
  })
})
