import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqlite } from './engine.ts'
import { ownFolder } from '../../../test/own-folder.ts'

const MB = 1024 * 1024

/** Writes some 64 KiB a transaction, `n` times. */
async function writeMuch(engine: ReturnType<typeof openSqlite>, n: number): Promise<void> {
  for (let i = 0; i < n; i++) {
    await engine.ready()
    await engine.alter(async (query) => {
      await query
        .insertInto('meta')
        .values({ name: `${i} ${Math.random()}`, value: 'x'.repeat(64 * 1024) })
        .execute()
    })
  }
}

async function openFolder() {
  const folder = ownFolder()
  const path = join(folder, 'rookery.db')
  const engine = openSqlite(path)
  await engine.alter(async (query) => {
    await query.schema.createTable('meta').addColumn('name', 'text').addColumn('value', 'text').execute()
    await query.schema
      .createTable('commit_sequence')
      .addColumn('id', 'integer')
      .addColumn('updated_id', 'integer')
      .addColumn('config_version', 'integer')
      .execute()
    await query.insertInto('commit_sequence').values({ id: 1, updated_id: 0, config_version: 0 }).execute()
  })
  return { path, engine }
}

// `alter` does not count as a commit for the checkpointer; the console's own transactions do.
const counted = (engine: ReturnType<typeof openSqlite>) => ({
  ...engine,
  alter: (run: Parameters<typeof engine.alter>[0]) => engine.transaction((tx) => run(tx.query)),
})

it('the log starts anew: 100 MB of writes leave it near its limit', async () => {
  const { path, engine } = await openFolder()
  await writeMuch(counted(engine), 1_600)
  expect(statSync(`${path}-wal`).size).toBeLessThan(48 * MB)
  await engine.close()
})

it('a reader that stays on its snapshot lets the log grow, but never stops the writer', async () => {
  const { path, engine } = await openFolder()
  const reader = new DatabaseSync(path, { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM meta').get()
  await writeMuch(counted(engine), 800)
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(48 * MB)
  reader.exec('COMMIT')
  reader.close()
  await engine.close()
})

/** What of the log is not in the database file yet, in bytes. */
function leftToMove(path: string): number {
  const other = new DatabaseSync(path)
  const { log, checkpointed } = other.prepare('PRAGMA wal_checkpoint(NOOP)').get() as {
    log: number
    checkpointed: number
  }
  other.close()
  return (log - checkpointed) * 4096
}

it('bulk work that waits for checkpoints between its chunks leaves little to copy', async () => {
  const { path, engine } = await openFolder()
  const chunk = (megabytes: number): Promise<void> =>
    engine.transaction(async (tx) => {
      const value = 'x'.repeat(MB)
      await tx.insertMany(
        'meta',
        Array.from({ length: megabytes }, (_, n) => ({ name: `${n}`, value })),
      )
    })
  await chunk(20)
  expect(leftToMove(path)).toBeGreaterThan(19 * MB)
  await engine.checkpointed()
  expect(leftToMove(path)).toBe(0)
  await chunk(2)
  await engine.checkpointed()
  expect(leftToMove(path)).toBeGreaterThan(MB)
  await engine.close()
})

it('bulk work does not wait for a reader that stays on its snapshot', async () => {
  const { path, engine } = await openFolder()
  const reader = new DatabaseSync(path, { readOnly: true })
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM meta').get()
  await engine.transaction((tx) => tx.insertMany('meta', [{ name: 'a', value: 'x'.repeat(50 * MB) }]))
  await engine.checkpointed()
  expect(leftToMove(path)).toBeGreaterThan(49 * MB)
  reader.close()
  await engine.close()
})
