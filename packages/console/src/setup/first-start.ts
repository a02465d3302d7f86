// A first start that fails takes back what it made: the tables, the keys, the folder. The next one is a first start again.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { DataFolder } from '../data-folder.ts'
import { dropTables } from '../db/migrate.ts'
import { migrations } from '../db/migrations.gen.ts'
import { openEngine } from '../open-context.ts'

export interface FirstStart {
  /** Called when this start, and no other one, has made the tables. */
  schemaMade(): void
  /** Called with the database closed, and the data directory still locked. Never throws. */
  takeBack(): Promise<void>
}

const KEPT = 'what this first start made stays; the next start goes on with it'

/** Called before anything but the lock is written. */
export function watchFirstStart(url: string, folder: DataFolder, log: Pick<Logger, 'warn'>): FirstStart {
  const before = readdirSync(folder.path)
  const hasDatabase = existsSync(folder.database)
  let hasMadeSchema = false
  return {
    schemaMade: () => void (hasMadeSchema = true),
    async takeBack() {
      try {
        const isGone = url === '' ? !hasDatabase : hasMadeSchema && (await dropOwn(url, folder))
        if (isGone) removeFiles(folder, before)
        else if (hasMadeSchema) log.warn('another console uses the database already: ' + KEPT)
        removeEmpty(folder.made)
      } catch (err) {
        log.warn({ err }, KEPT)
      }
    },
  }
}

async function dropOwn(url: string, folder: DataFolder): Promise<boolean> {
  const engine = await openEngine(url, folder.database)
  try {
    return await dropTables(engine, migrations)
  } finally {
    await engine.close()
  }
}

/** The database first: the next start takes a key without a database, and nobody opens a database without its key. */
function removeFiles(folder: DataFolder, before: readonly string[]): void {
  const { database, masterKey, adminKey, tokensAuthority, reserve, touches, lock } = folder
  const names = readdirSync(folder.path).filter((name) => !before.includes(name) || name === basename(lock))
  for (const path of [database, masterKey, adminKey, tokensAuthority, reserve, touches, lock]) {
    // SQLite's log and index lie next to the database.
    const own = names.filter((name) => name === basename(path) || name.startsWith(`${basename(path)}-`))
    for (const name of own) rmSync(join(folder.path, name), { recursive: true, force: true })
  }
}

/** Folders in which somebody else has put something stay. */
function removeEmpty(paths: readonly string[]): void {
  for (const path of paths) if (existsSync(path) && readdirSync(path).length === 0) rmdirSync(path)
}
