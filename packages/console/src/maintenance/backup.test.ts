import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../db/migrate.ts'
import { migration } from '../db/migrations/2026-11-21T0400-foundation.ts'
import { openSqlite } from '../db/sqlite/engine.ts'
import { backUpDatabase } from './backup.ts'
import { ownFolder } from '../../test/own-folder.ts'

const row = (name: string) => ({ name, value: 'y'.repeat(4_000) })

it('a backup ends, and is of one moment, however much is written meanwhile', async () => {
  const path = join(ownFolder(), 'x.db')
  const engine = openSqlite(path)
  onTestFinished(() => engine.close())
  await migrate(engine, { foundation: migration }, () => 0)
  for (let n = 0; n < 60; n++) {
    const rows = Array.from({ length: 100 }, (_, m) => row(`first ${n} ${m}`))
    await engine.transaction((tx) => tx.insertMany('meta', rows))
  }
  const write = () =>
    engine.transaction(async (tx) => tx.insertMany('meta', [row(`n${await tx.updatedIds(1)}`)]))
  let isRunning = true
  let written = 0
  const load = (async () => {
    while (isRunning) {
      await write()
      written++
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const target = ownFolder()
  await backUpDatabase('', path, target)
  isRunning = false
  await load
  expect(written).toBeGreaterThan(0)
  expect(readFileSync(join(target, 'rookery.db')).length).toBeGreaterThan(20_000_000)
  const copy = new DatabaseSync(join(target, 'rookery.db'), { readOnly: true })
  expect(copy.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' })
  const { n } = copy.prepare('SELECT updated_id AS n FROM commit_sequence').get() as { n: number }
  const { rows } = copy.prepare('SELECT count(*) AS rows FROM meta').get() as { rows: number }
  copy.close()
  expect(rows).toBe(6_000 + n)
})
