// An engine on a fresh database with the product's tables, and a connection beside it; both go with the test.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { openSnapshotReader, type SnapshotReader } from '../src/db/snapshot-reader.ts'
import type { Engine } from '../src/db/engine.ts'
import { migrate } from '../src/db/migrate.ts'
import { migrations } from '../src/db/migrations.gen.ts'
import type { EngineName } from '../src/db/query.ts'
import { openEngine } from '../src/open-base.ts'
import { freshDatabase } from './house.ts'

export interface Ground {
  readonly engine: Engine
  /** As a thread of its own connects. */
  readonly beside: SnapshotReader
}

export async function freshGround(name: EngineName): Promise<Ground> {
  const folder = mkdtempSync(join(inject('scratch'), 'ground-'))
  const engine = await openEngine(
    name === 'postgres' ? await freshDatabase() : '',
    join(folder, 'rookery.db'),
  )
  const beside = await openSnapshotReader(engine.target)
  onTestFinished(async () => {
    await beside.close()
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await migrate(engine, migrations, () => 0)
  return { engine, beside }
}
