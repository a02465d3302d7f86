import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/test-database.ts'
import { engines } from '../../test/test-console.ts'
import { systemClock } from '../world/system.ts'
import type { Engine } from './engine.ts'
import { openReadiness } from './readiness.ts'
import { noReserve } from './reserve.ts'
import { openWriter } from './writer.ts'

const COMMIT_MS = 50

/** Locks out every writer until it is called again. */
async function lockOut(engine: Engine, url: string): Promise<() => Promise<void>> {
  if (engine.name === 'sqlite') {
    const database = new DatabaseSync(url)
    database.exec('BEGIN IMMEDIATE')
    return () => Promise.resolve(database.close())
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('BEGIN; SELECT 1 FROM commit_sequence FOR UPDATE')
  return () => client.end()
}

describe.each(engines)('a console is ready (%s)', (name) => {
  it('while it can commit, and not while another holds the lock of every write', async () => {
    const { engine, url } = await openTestDatabase(name)
    const writer = openWriter(
      engine,
      noReserve,
      () => Promise.resolve(),
      () => undefined,
    )
    const { check: ready } = openReadiness({ engine, writer, clock: systemClock }, COMMIT_MS)
    expect(await ready()).toBeUndefined()
    const release = await lockOut(engine, url)
    await expect.poll(ready).toMatch(/^The database takes no writes: nothing was committed for/)
    await release()
    await expect.poll(ready).toBeUndefined()
    await writer.close()
  })

  it('not while reads are refused, which its answer says', async () => {
    const { engine } = await openTestDatabase(name)
    const writer = {
      write: <T>() => new Promise<T>(() => undefined),
      uncommittedMs: () => 0,
      sinceCommitMs: () => 0,
    }
    const { check: ready } = openReadiness({ engine, writer, clock: systemClock })
    await engine.alter(async (query) => void (await query.schema.dropTable('commit_sequence').execute()))
    expect(await ready()).toBe(`The database does not answer: ${engine.place}.`)
  })
})
