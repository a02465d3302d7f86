// Other programs and other threads at the same file: nobody stops the event loop, nobody waits for ever.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { copyDatabase } from '../copy.ts'
import { migrate } from '../migrate.ts'
import { migration } from '../migrations/2026-11-21T0400-foundation.ts'
import { openCheckpointer } from './checkpointer.ts'
import { connect } from './connection.ts'
import { openSqlite } from './engine.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rookery-beside-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function open(path: string) {
  const engine = openSqlite(path)
  onTestFinished(() => engine.close())
  await migrate(engine, { foundation: migration }, () => 0)
  return engine
}

const row = (name: string) => ({ name, value: 'y'.repeat(4_000) })

it('a transaction of another program is waited for without stopping this one', async () => {
  const path = join(folder(), 'x.db')
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
  // The loop turns on meanwhile; whoever stopped it would have given up before the other's end, which comes from here, too.
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect([isWritten, runs]).toEqual([false, 0])
  other.exec('COMMIT')
  other.close()
  await writing
  expect([isWritten, runs]).toEqual([true, 1])
})

it('a checkpoint thread that cannot work stops neither the writer nor the end', async () => {
  const path = join(folder(), 'x.db')
  const writing = connect(path, { readOnly: false })
  writing.raw.exec('PRAGMA journal_mode=WAL; CREATE TABLE t (x)')
  const checkpointer = openCheckpointer(join(folder(), 'no', 'such.db'), writing)
  for (let n = 0; n < 40; n++) {
    writing.raw.prepare('INSERT INTO t VALUES (?)').run(Buffer.alloc(1024 * 1024))
    checkpointer.afterCommit()
    await checkpointer.ready()
  }
  await checkpointer.close()
  writing.close()
})

it('more searches than can ever be answered are told to come again', async () => {
  const path = join(folder(), 'x.db')
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

it('a copy ends, and is of one moment, however much is written beside it', async () => {
  const path = join(folder(), 'x.db')
  const engine = await open(path)
  for (let n = 0; n < 60; n++) {
    const rows = Array.from({ length: 100 }, (_, m) => row(`first ${n} ${m}`))
    await engine.transaction((tx) => tx.insertMany('meta', rows))
  }
  const write = () =>
    engine.transaction(async (tx) => tx.insertMany('meta', [row(`n${await tx.updatedIds(1)}`)]))
  let isCopying = true
  let written = 0
  const load = (async () => {
    while (isCopying) {
      await write()
      written++
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  const target = folder()
  const since = performance.now()
  await copyDatabase('', path, target)
  isCopying = false
  await load
  expect(performance.now() - since).toBeLessThan(10_000)
  expect(written).toBeGreaterThan(0)
  expect(readFileSync(join(target, 'rookery.db')).length).toBeGreaterThan(20_000_000)
  const copy = new DatabaseSync(join(target, 'rookery.db'), { readOnly: true })
  expect(copy.prepare('PRAGMA quick_check').get()).toEqual({ quick_check: 'ok' })
  const { n } = copy.prepare('SELECT updated_id AS n FROM turn').get() as { n: number }
  const { rows } = copy.prepare('SELECT count(*) AS rows FROM meta').get() as { rows: number }
  copy.close()
  expect(rows).toBe(6_000 + n)
})
