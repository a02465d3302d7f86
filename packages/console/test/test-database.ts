// An engine on a fresh database with the product's tables; it goes with the test.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Engine } from '../src/db/engine.ts'
import type { EngineName } from '../src/db/query.ts'
import { openEngine } from '../src/open-context.ts'
import { ownFolder } from './own-folder.ts'
import { freshDatabase } from './test-console.ts'

export interface TestDatabase {
  readonly engine: Engine
  /** Its URL, or the path of its file. */
  readonly url: string
}

export async function openTestDatabase(name: EngineName): Promise<TestDatabase> {
  const path = join(ownFolder(inject('scratch')), 'rookery.db')
  const url = name === 'postgres' ? await freshDatabase() : ''
  if (name === 'sqlite') copyFileSync(inject('sqliteModel'), path)
  const engine = await openEngine(url, path)
  onTestFinished(() => engine.close())
  return { engine, url: url || path }
}
