// A PostgreSQL server that the gate may kill at any moment, and copy while it runs.
import { spawn } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs'
import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { serverUrl } from '../../../../tools/postgres.ts'

export interface Server {
  readonly port: number
  readonly data: string
  /** Asks it on a connection of its own. */
  query<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** SIGKILL of the server and all of its processes; resolves once they are gone. */
  kill(): Promise<void>
}

export interface ServerPlace {
  readonly program: string
  readonly data: string
  readonly port: number
  readonly flags: readonly string[]
}

const START_MS = 30_000
/** What a base backup leaves out (postgresql.org, "Making a Base Backup Using the Low Level API"). */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'standby.signal'])
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])

/** Starts it as the owner of its data, and waits until it answers. */
export async function startServerProcess({ program, data, port, flags }: ServerPlace): Promise<Server> {
  const { uid, gid } = lstatSync(data)
  const own = process.getuid?.() === 0 ? { uid, gid } : {}
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...flags]
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((it) => ['-c', it])]
  const child = spawn(program, args, { ...own, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)))
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const server: Server = {
    port,
    data,
    query: (text, values) => ask(port, 'postgres', text, values),
    async kill() {
      const family = [child.pid ?? 0, ...childrenOf(child.pid ?? 0)].filter((pid) => pid > 0)
      for (const pid of family) end(pid)
      await gone
      while (family.some(isAlive)) await pause(2)
    },
  }
  for (const until = performance.now() + START_MS; ; await pause(10)) {
    if (
      await server.query('SELECT 1').then(
        () => true,
        () => false,
      )
    )
      return server
    if (child.exitCode === null && child.signalCode === null && performance.now() < until) continue
    await server.kill()
    throw new Error(`PostgreSQL did not start on port ${port}.\n${said}`)
  }
}

/** One question on a connection of its own. */
export async function ask<R>(
  port: number,
  database: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({
    connectionString: serverUrl(port, database),
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(text, [...values])).rows as R[]
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Copies the data of a running server into a fresh folder, as the base backup of a standby. */
export async function copyServer({ port, data }: Server, into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true })
  const client = new pg.Client(serverUrl(port, 'postgres'))
  await client.connect()
  try {
    await client.query("SELECT pg_backup_start('standby', fast => true)")
    await copyTree(data, into, true)
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    )
    await owned(into, data, 'backup_label', rows[0]?.labelfile ?? '')
    await owned(into, data, 'standby.signal', '')
  } finally {
    await client.end()
  }
}

async function owned(folder: string, like: string, name: string, text: string): Promise<void> {
  const { uid, gid } = lstatSync(like)
  await writeFile(join(folder, name), text)
  await chown(join(folder, name), uid, gid)
}

/** The server works meanwhile: a file may go before it is copied. */
async function copyTree(from: string, to: string, isTop = false): Promise<void> {
  const { uid, gid, mode } = lstatSync(from)
  await mkdir(to, { mode })
  await chown(to, uid, gid)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (isTop && LEFT_OUT.has(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (!entry.isDirectory()) await copyFile(source, target).then(() => chown(target, uid, gid), ignoreGone)
    else if (isTop && EMPTIED.has(entry.name)) await copyFolders(source, target)
    else await copyTree(source, target)
  }
}

/** The folder with its folders, without a file. */
async function copyFolders(from: string, to: string): Promise<void> {
  const { uid, gid, mode } = lstatSync(from)
  await mkdir(to, { mode })
  await chown(to, uid, gid)
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (entry.isDirectory()) await copyFolders(join(from, entry.name), join(to, entry.name))
}

function ignoreGone(error: unknown): void {
  if ((error as { code?: string }).code !== 'ENOENT') throw error
}

function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task/${pid}/children`
  return existsSync(path) ? readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number) : []
}

/** A zombie has ended: the machine may have nobody who reaps it (proc(5): state after the name). */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
