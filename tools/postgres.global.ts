// One PostgreSQL for the whole test run, from the registry's binaries, in which every console of a test gets a database
// of its own. And of both engines a database that has its tables: copying it takes a fraction of making them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import type { Engine } from '@rookery/console/db/engine.ts'
import { freePort } from './free-port.ts'
import { socketUrl, startServer } from './postgres.ts'
import { scratch } from './scratch.ts'
import { migrate } from '@rookery/console/db/migrate.ts'
import { migrations } from '@rookery/console/db/migrations.gen.ts'
import { openPostgres } from '@rookery/console/db/postgres/engine.ts'
import { openSqlite } from '@rookery/console/db/sqlite/engine.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    /** A database in it with all tables and no row. */
    postgresModel: string
    /** A file of the same for SQLite. */
    sqliteModel: string
    /** A folder for data that go with their test. */
    scratch: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-postgres-'))
  const dataFolder = mkdtempSync(join(scratch(), 'rookery-tests-'))
  // No commit waits for a standby, but in the databases of tests that ask for it.
  const settings = [
    'fsync=off',
    'max_connections=300',
    'synchronous_commit=local',
    // Each new database is a checkpoint, behind which whole pages would go to the log; nothing survives a crash here.
    'full_page_writes=off',
    'autovacuum=off',
    // Where the server itself may write.
    `unix_socket_directories=${join(dataFolder, 'data')}`,
  ]
  const flags = settings.flatMap((it) => ['-c', it])
  const port = await freePort()
  const server = await startServer({ folder, dataFolder, port, flags })
  // A hook that came with the server ends this process with 0, whatever its tests found.
  process.prependListener('beforeExit', () => {
    if (process.exitCode) process.exit()
  })
  // Tests ask thousands of times: a socket of the file system answers in two thirds of the time of TCP.
  const url = socketUrl(join(dataFolder, 'data'), port, 'postgres')
  project.provide('postgresUrl', url)
  project.provide('postgresModel', await postgresModel(url))
  project.provide('sqliteModel', await sqliteModel(dataFolder))
  project.provide('scratch', dataFolder)
  return async () => {
    await server.stop()
    for (const made of [folder, dataFolder]) rmSync(made, { recursive: true, force: true })
  }
}

async function postgresModel(url: string): Promise<string> {
  const name = 'model'
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const own = new URL(url)
  own.pathname = `/${name}`
  await makeTables(openPostgres(own.href))
  return name
}

async function sqliteModel(folder: string): Promise<string> {
  const path = join(folder, 'model.db')
  await makeTables(openSqlite(path))
  return path
}

async function makeTables(engine: Engine): Promise<void> {
  await migrate(engine, migrations, () => 0)
  await engine.close()
}
