// Other programs and threads on the same file: none blocks the event loop, and every wait ends.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../migrate.ts'
import { migration } from '../migrations/2026-11-21T0400-foundation.ts'
import { openCheckpointer } from './checkpointer.ts'
import { connect } from './connection.ts'
import { openSqlite } from './engine.ts'
import { ownFolder } from '../../../test/own-folder.ts'

async function open(path: string) {
  const engine = openSqlite(path)
  onTestFinished(() => engine.close())
  await migrate(engine, { foundation: migration }, () => 0)
  return engine
}

it('a transaction of another program is waited for without blocking the event loop', async () => {
  const path = join(ownFolder(), 'x.db')
  const engine = await open(path)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  let isWritten = false
  let runs = 0
  const writing = engine
    .transaction(async (tx) => {
      runs++
      await tx.insertMany('meta', [{ name: 'a', value: 'b' }])
    })
    .then(() => (isWritten = true))
  // The event loop runs meanwhile: a blocked one could not commit the other transaction.
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect([isWritten, runs]).toEqual([false, 0])
  other.exec('COMMIT')
  other.close()
  await writing
  expect([isWritten, runs]).toEqual([true, 1])
})

it('a checkpoint thread that fails blocks neither the writer nor the close', async () => {
  const path = join(ownFolder(), 'x.db')
  const writing = connect(path, { readOnly: false })
  writing.raw.exec('PRAGMA journal_mode=WAL; CREATE TABLE t (x)')
  const checkpointer = openCheckpointer(join(ownFolder(), 'no', 'such.db'), writing)
  for (let n = 0; n < 40; n++) {
    writing.raw.prepare('INSERT INTO t VALUES (?)').run(Buffer.alloc(1024 * 1024))
    checkpointer.afterCommit()
    await checkpointer.ready()
  }
  await checkpointer.close()
  writing.close()
})

it('more searches than may wait are refused with a retry', async () => {
  const path = join(ownFolder(), 'x.db')
  const engine = await open(path)
  const slow = sql<{ n: number }>`
    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000) SELECT max(n) AS n FROM c
  `.compile(engine.reader)
  const asked = await Promise.allSettled(Array.from({ length: 100 }, () => engine.longRead(slow)))
  const refused = asked.filter((it) => it.status === 'rejected')
  expect(refused.length).toBe(36)
  expect(refused[0]?.reason).toMatchObject({ code: 'unavailable', message: 'Too many searches run at once.' })
  expect(await engine.longRead(slow)).toEqual([{ n: 1_000 }])
})
