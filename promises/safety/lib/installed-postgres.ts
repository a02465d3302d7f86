// A PostgreSQL as a distribution installs it, with pg_dump and pg_restore of its own version.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../tools/free-port.ts'

export interface InstalledPostgres {
  /** The folder of its programs, for PATH. */
  readonly programs: string
  /** Makes an empty database and answers its URL. */
  createDatabase(name: string): Promise<string>
  stop(): Promise<void>
}

const DEBIAN = '/usr/lib/postgresql'
const NEEDED = ['postgres', 'initdb', 'pg_dump', 'pg_restore']
const START_MS = 20_000

/** Starts one in `folder`; throws when none is installed. */
export async function startInstalledPostgres(folder: string): Promise<InstalledPostgres> {
  const programs = findPrograms()
  const home = join(folder, 'server')
  mkdirSync(home)
  chmodSync(folder, 0o755)
  // The server refuses to run as root; the package has made a user for it.
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  if (user.uid !== undefined && user.gid !== undefined) chownSync(home, user.uid, user.gid)
  const data = join(home, 'data')
  const options = ['-U', 'rookery', '--auth=trust', '--encoding=UTF8', '--locale=C']
  execFileSync(join(programs, 'initdb'), ['-D', data, ...options], { ...user, cwd: home, stdio: 'pipe' })
  const port = await freePort()
  const flags = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...flags], {
    ...user,
    cwd: home,
    stdio: 'ignore',
  })
  const gone = new Promise((resolve) => server.once('exit', resolve))
  const url = (database: string): string => `postgres://rookery@127.0.0.1:${port}/${database}`
  const stop = async (): Promise<void> => {
    server.kill('SIGINT')
    await gone
  }
  try {
    await answering(url('postgres'))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    programs,
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return url(name)
    },
    stop,
  }
}

/** A folder that has the server and the tools that fit it. */
function findPrograms(): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((name) => join(DEBIAN, name, 'bin')) : []
  const folders = [...versions.sort().reverse(), ...(process.env['PATH'] ?? '').split(delimiter)]
  const found = folders.find((folder) => NEEDED.every((name) => existsSync(join(folder, name))))
  if (found === undefined)
    throw new Error(`A PostgreSQL with ${NEEDED.join(', ')} is needed: install the package "postgresql".`)
  return found
}

const idOf = (flag: '-u' | '-g'): number =>
  Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))

async function answering(url: string): Promise<void> {
  for (const until = performance.now() + START_MS; ; await pause(50)) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}
