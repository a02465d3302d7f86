// Backs up one snapshot of a database: SQLite by its online backup, PostgreSQL by its own pg_dump.
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { Fault } from '@rookery/kernel/fault.ts'
import { environment } from '../config/config.ts'
import { openEngine } from '../open-context.ts'
import { systemClock } from '../world/system.ts'
import { noteRestore } from './after-restore.ts'
import { writePostgresSecrets, type PostgresSecrets } from './postgres-secrets.ts'

const SQLITE_FILE = 'rookery.db'
const POSTGRES_FILE = 'rookery.dump'

const run = promisify(execFile)

/** Writes the backup into `folder`; answers the engine's name. */
export async function backUpDatabase(
  url: string,
  path: string,
  folder: string,
): Promise<'sqlite' | 'postgres'> {
  if (url !== '') {
    using secrets = writePostgresSecrets(url)
    const file = `--file=${join(folder, POSTGRES_FILE)}`
    await tool('pg_dump', ['--format=custom', '--no-owner', file, secrets.address], secrets.variables)
    return 'postgres'
  }
  if (!existsSync(path)) throw new Fault('bad-input', `There is no database at ${path}.`)
  const source = new DatabaseSync(path, { readOnly: true, timeout: 5_000 })
  try {
    // One snapshot for the whole copy: without it, every commit of the console would start the copy again.
    source.exec('BEGIN')
    source.prepare('SELECT 1 FROM commit_sequence').get()
    await backup(source, join(folder, SQLITE_FILE), { rate: 1_000 })
  } finally {
    source.close()
  }
  return 'sqlite'
}

/** Throws where the backup in this folder cannot be read from its beginning to its end. */
export async function verifyBackup(folder: string): Promise<void> {
  if (existsSync(join(folder, POSTGRES_FILE))) {
    // Reads all of it, and writes the statements nowhere.
    await tool('pg_restore', ['--file=/dev/null', join(folder, POSTGRES_FILE)], {})
    return
  }
  const copy = new DatabaseSync(join(folder, SQLITE_FILE), { readOnly: true })
  try {
    copy.prepare('SELECT updated_id FROM commit_sequence').get()
    const result = copy.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
    if (result !== 'ok')
      throw new Fault('unavailable', `The copy in ${folder} is damaged: ${String(result)}.`)
  } finally {
    copy.close()
  }
}

/** Restores the backup to where the options say, with numbers that no poller has seen; refuses to overwrite. */
export async function restoreDatabase(
  engine: string,
  url: string,
  path: string,
  folder: string,
): Promise<void> {
  if (engine === 'postgres') {
    if (url === '')
      throw new Fault(
        'bad-input',
        'This backup is of PostgreSQL: set ROOKERY_DATABASE_URL to an empty database.',
      )
    using secrets = writePostgresSecrets(url)
    const args = ['--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${secrets.address}`]
    await tool('pg_restore', [...args, join(folder, POSTGRES_FILE)], secrets.variables)
    return await skipSeen(url, path)
  }
  if (url !== '')
    throw new Fault('bad-input', 'This backup is of SQLite: restore it without ROOKERY_DATABASE_URL.')
  if (existsSync(path))
    throw new Fault(
      'conflict',
      `${path} exists. Restore into an empty data directory, or move it away first.`,
    )
  // Renamed only when it is whole: an unfinished restore must not be taken for a database.
  const draft = `${path}.restoring`
  try {
    rmSync(draft, { force: true })
    copyFileSync(join(folder, SQLITE_FILE), draft)
    await skipSeen('', draft)
    renameSync(draft, path)
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
    throw error
  }
}

/** A poller that has seen more than the backup holds must not miss what comes. */
async function skipSeen(url: string, path: string): Promise<void> {
  const engine = await openEngine(url, path)
  try {
    await engine.transaction((tx) => noteRestore(tx, systemClock.now()))
  } finally {
    await engine.close()
  }
}

async function tool(
  name: string,
  args: readonly string[],
  variables: PostgresSecrets['variables'],
): Promise<void> {
  try {
    await run(name, [...args], { env: { ...environment(), ...variables } })
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: string }
    if (code === 'ENOENT')
      throw new Fault('unavailable', `${name} is not installed. It comes with the PostgreSQL client.`)
    throw new Fault('unavailable', `${name} failed: ${(stderr ?? '').trim().split('\n')[0] ?? ''}`)
  }
}
