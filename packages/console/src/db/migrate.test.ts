import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { ownFolder } from '../../test/own-folder.ts'
import { engines, freshDatabase } from '../../test/test-console.ts'
import { openTestDatabase } from '../../test/test-database.ts'
import { openEngine } from '../open-context.ts'
import { schemaDifference } from './migrate.ts'
import { migrations } from './migrations.gen.ts'

describe.each(engines)('the schema (%s)', (name) => {
  it('of this release differs in nothing, of an older or newer one in its migrations', async () => {
    const { engine } = await openTestDatabase(name)
    expect(await schemaDifference(engine, migrations)).toBeUndefined()
    const [[first = '', migration] = [], ...others] = Object.entries(migrations).sort()
    expect(await schemaDifference(engine, Object.fromEntries(others))).toContain(
      `newer Rookery (migration ${first})`,
    )
    expect(
      migration && (await schemaDifference(engine, { ...migrations, '9999-later': migration })),
    ).toContain('older Rookery: 1 of ')
  })

  it('of an empty database is refused by name', async () => {
    const folder = ownFolder(inject('scratch'))
    const url = name === 'postgres' ? await freshDatabase('without tables') : ''
    const engine = await openEngine(url, join(folder, 'rookery.db'))
    onTestFinished(() => engine.close())
    await expect(schemaDifference(engine, migrations)).rejects.toThrow(
      `${engine.place} has no tables of Rookery. Start the console once: it makes them.`,
    )
  })
})
