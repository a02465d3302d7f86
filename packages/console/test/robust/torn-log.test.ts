// A console is killed, and its disk has flipped one byte of the log of SQLite.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { openDataFolder } from '../../src/data-folder.ts'
import { examineFolder } from '../../src/maintenance/doctor.ts'
import { ownFolder } from '../own-folder.ts'
import { openTestConsole } from '../test-console.ts'

it('the next start and doctor say what is lost, and where a copy of the log is', async () => {
  const running = await openTestConsole()
  for (let n = 0; n < 30; n++)
    await running.api.apiKeys.add({ auth_token_type: 'read-only', note: `key ${n}` })
  const folder = join(ownFolder(), 'killed')
  cpSync(running.console.folder.path, folder, { recursive: true })
  rmSync(join(folder, 'lock'), { recursive: true, force: true })
  const log = join(folder, 'rookery.db-wal')
  const bytes = readFileSync(log)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(log, bytes)

  const said = (): string[] =>
    examineFolder(openDataFolder(folder), readConfig({ ROOKERY_DATA_DIR: folder }))
      .filter(({ ok, about }) => !ok && about === 'log')
      .map(({ text }) => text)
  const lines: string[] = []
  const started = await openTestConsole({
    env: { ROOKERY_DATA_DIR: folder },
    log: pino({}, { write: (line: string) => lines.push(line) }),
  })
  const { lostInLog } = started.console.base
  expect(lostInLog).toMatch(/damaged at frame \d+: SQLite drops \d+ committed transactions behind it/)
  expect(lines.filter((line) => line.includes('"level":50') && line.includes('SQLite drops'))).toHaveLength(1)
  expect((await started.api.apiKeys.list()).global_api_keys.length).toBeLessThan(31)
  expect(readFileSync(`${log}.torn`).equals(bytes)).toBe(true)
  expect(said()).toEqual([expect.stringContaining(`${log}.torn`)])
})
