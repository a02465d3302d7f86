// What removed rows took of the file goes back to the disk, but for what is soon needed again.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { ownFolder } from '../../../test/own-folder.ts'
import { migrate } from '../migrate.ts'
import { migration } from '../migrations/2026-11-21T0400-foundation.ts'
import { openSqlite } from './engine.ts'
import { giveBackPages } from './give-back.ts'

/** A file of 40 MiB, of which nothing but a tenth is used any more. */
function emptied(path: string, prepare = ''): void {
  const file = new DatabaseSync(path)
  file.exec(`${prepare}; CREATE TABLE t (n INTEGER PRIMARY KEY, x BLOB)`)
  file.exec(
    'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s LIMIT 10000) INSERT INTO t SELECT n, zeroblob(4000) FROM s',
  )
  file.exec('DELETE FROM t WHERE n > 1000')
  file.close()
}

async function givenBack(path: string): Promise<number> {
  const engine = openSqlite(path)
  onTestFinished(() => engine.close())
  await migrate(engine, { foundation: migration }, () => 0)
  let steps = 0
  for (let isMore = true; isMore;) {
    await engine.transaction(async (tx) => {
      isMore = await giveBackPages(tx)
    })
    if (isMore) steps++
  }
  await engine.close()
  return steps
}

it('a file gives pages back in steps, until a tenth of it and a step more are free', async () => {
  const path = join(ownFolder(), 'x.db')
  emptied(path, 'PRAGMA auto_vacuum=INCREMENTAL')
  const before = statSync(path).size
  expect(await givenBack(path)).toBeGreaterThan(5)
  const file = new DatabaseSync(path)
  const { freelist_count: free } = file.prepare('PRAGMA freelist_count').get() as { freelist_count: number }
  file.close()
  expect(free).toBeLessThan(1_500)
  expect(statSync(path).size).toBeLessThan(before / 3)
})

it('a file of before auto_vacuum is left as it is', async () => {
  const path = join(ownFolder(), 'x.db')
  emptied(path)
  const before = statSync(path).size
  expect(await givenBack(path)).toBe(0)
  expect(statSync(path).size).toBe(before)
})
