// An engine on a fresh database with the product's tables; it goes with the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Engine } from '../src/db/engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { migrations } from '../src/db/migrations.gen.ts'
import type { EngineName } from '../src/db/query.ts'
import { openEngine } from '../src/open-context.ts'
import { freshDatabase } from './test-console.ts'

export interface TestDatabase {
  readonly engine: Engine
  /** Its URL, or the path of its file. */
  readonly url: string
}

export async function openTestDatabase(name: EngineName): Promise<TestDatabase> {
  const folder = mkdtempSync(join(inject('scratch'), 'ground-'))
  const path = join(folder, 'rookery.db')
  const url = name === 'postgres' ? await freshDatabase() : ''
  const engine = await openEngine(url, path)
  onTestFinished(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(engine, migrations, () => 0)
  return { engine, url: url || path }
}
