import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { openDataFolder } from '../data-folder.ts'
import { openConsole, type Console } from '../build.ts'
import { readConfig, type Environment } from '../config/config.ts'
import type { EngineName } from '../db/query.ts'
import { systemWorld } from '../world/system.ts'
import { engines } from '../../test/engines.ts'
import { FREE_PORTS } from '../../test/free-ports.ts'
import { ownFolder } from '../../test/own-folder.ts'
import { freshDatabase } from '../../test/test-console.ts'
import { watchFirstStart } from './first-start.ts'

const open = (env: Environment): Promise<Console> =>
  openConsole({
    config: readConfig({ ...FREE_PORTS, ...env }),
    world: systemWorld({ send: () => Promise.reject(new Error('this test has no outside')) }),
    log: pino({ level: 'silent' }),
    passwordCost: { logN: 4, r: 1, p: 1 },
  })

async function tablesIn(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  )
  await client.end()
  return rows.map(({ name }) => name)
}

async function takenAddress(): Promise<string> {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  return `127.0.0.1:${(taken.address() as AddressInfo).port}`
}

async function emptyDatabase(engine: EngineName): Promise<{ url: string; env: Environment }> {
  const url = engine === 'postgres' ? await freshDatabase('without tables') : ''
  return { url, env: url === '' ? {} : { ROOKERY_DATABASE_URL: url } }
}

describe.each(engines)('on %s', (engine) => {
  it('a first start that fails leaves no folder, no key and no table, and the next one is a first start again', async () => {
    const { url, env } = await emptyDatabase(engine)
    const folder = join(ownFolder(inject('scratch')), 'not', 'there')
    const start = { ...env, ROOKERY_DATA_DIR: folder }
    const wrong: Environment[] = [
      { ROOKERY_LISTEN: await takenAddress() },
      { ROOKERY_TOKENS_LISTEN: await takenAddress() },
      { ROOKERY_BOOTSTRAP_EMAIL: 'ann@example.com' },
      { ROOKERY_TOKENS_TLS_CERT: '/nowhere/at-all.pem', ROOKERY_TOKENS_TLS_KEY: '/nowhere/at-all.pem' },
    ]
    for (const each of wrong) {
      await expect(open({ ...start, ...each })).rejects.toThrow()
      expect([each, existsSync(join(folder, '..')), url && (await tablesIn(url))]).toEqual([
        each,
        false,
        url && [],
      ])
    }
    const console = await open(start)
    expect(console.firstKeyFile).toBe(join(folder, 'admin.key'))
    await console.stop()
    expect(readdirSync(folder)).toContain('master.key')
  })

  it('a first start that fails keeps what lay in the folder, the tables of others and a key of before', async () => {
    const { url, env } = await emptyDatabase(engine)
    const folder = ownFolder(inject('scratch'))
    const start = { ...env, ROOKERY_DATA_DIR: folder }
    mkdirSync(join(folder, 'touches'))
    writeFileSync(join(folder, 'master.key'), 'ab'.repeat(32), { mode: 0o600 })
    writeFileSync(join(folder, 'notes.txt'), 'of a person')
    await expect(open({ ...start, ROOKERY_LISTEN: await takenAddress() })).rejects.toThrow()
    expect(readdirSync(folder).sort()).toEqual(['master.key', 'notes.txt', 'touches'])
    if (url !== '') expect(await tablesIn(url)).toEqual([])
  })

  it('a later start that fails takes nothing away', async () => {
    const { url, env } = await emptyDatabase(engine)
    const folder = ownFolder(inject('scratch'))
    const start = { ...env, ROOKERY_DATA_DIR: folder }
    await (await open(start)).stop()
    const before = [readdirSync(folder).sort(), url && (await tablesIn(url))]
    await expect(open({ ...start, ROOKERY_LISTEN: await takenAddress() })).rejects.toThrow()
    expect([readdirSync(folder).sort(), url && (await tablesIn(url))]).toEqual(before)
    await (await open(start)).stop()
  })
})

it('a first start that fails leaves the tables to a console that has begun to use them', async () => {
  const url = await freshDatabase('without tables')
  const other = await open({ ROOKERY_DATABASE_URL: url, ROOKERY_DATA_DIR: ownFolder(inject('scratch')) })
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) })
  const start = watchFirstStart(url, openDataFolder(ownFolder(inject('scratch'))), log)
  start.schemaMade()
  await expect.poll(() => other.base.reader.selectFrom('lease').select('name').execute()).not.toEqual([])

  await start.takeBack()
  expect(lines.join('')).toContain('another console uses the database already')
  expect(await tablesIn(url)).toContain('incident_state')
  await other.stop()
})
