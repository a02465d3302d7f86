// An engine on a fresh database with the product's tables; it goes with the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Engine } from '../src/db/engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { migrations } from '../src/db/migrations.gen.ts'
import type { EngineName } from '../src/db/query.ts'
import { openEngine } from '../src/open-base.ts'
import { freshDatabase } from './house.ts'

export interface Ground {
  readonly engine: Engine
}

export async function freshGround(name: EngineName): Promise<Ground> {
  const folder = mkdtempSync(join(inject('scratch'), 'ground-'))
  const engine = await openEngine(
    name === 'postgres' ? await freshDatabase() : '',
    join(folder, 'rookery.db'),
  )
  onTestFinished(async () => {
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(engine, migrations, () => 0)
  return { engine }
}
