// The same work on both engines in one run: a console on SQLite, one on PostgreSQL, and a way to look into their tables.
import { startConsole, type ConsoleOptions, type RunningConsole } from './console.ts'
import { freshFolder, removeFolder } from '../folder.ts'
import { startPostgres } from './postgres.ts'
import { reading } from './stored.ts'

export interface OnEngine {
  readonly engine: 'sqlite' | 'postgres'
  readonly folder: string
  /** Starts it on this engine, as a user would; the scene stops it. */
  start(options?: Omit<ConsoleOptions, 'dataDir'>): Promise<RunningConsole>
  /** The rows of a statement, asked on a connection of the bench's own; on SQLite one that only reads, without values. */
  rows<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** The first of them. */
  row<R>(text: string): Promise<R>
}

/** Runs `play` with one engine after the other at hand, and takes everything down afterwards. */
export async function onBothEngines<T>(
  play: (sqlite: OnEngine, postgres: OnEngine) => Promise<T>,
): Promise<T> {
  const closers: (() => unknown)[] = []
  try {
    const folders = [freshFolder(), freshFolder()] as const
    closers.push(() => folders.forEach(removeFolder))
    const server = await startPostgres(folders[1])
    closers.push(server.stop)

    const starter =
      (folder: string, env: Readonly<Record<string, string>>): OnEngine['start'] =>
      async (options = {}) => {
        const console = await startConsole({
          ...options,
          dataDir: folder,
          env: { ...env, ...options.env },
        })
        closers.push(console.stop)
        return console
      }
    const opened = (
      engine: OnEngine['engine'],
      folder: string,
      env: Readonly<Record<string, string>>,
      rows: OnEngine['rows'],
    ): OnEngine => ({
      engine,
      folder,
      start: starter(folder, env),
      rows,
      row: async <R>(text: string) => (await rows<R>(text))[0] as R,
    })
    return await play(
      opened('sqlite', folders[0], {}, <R>(text: string) =>
        Promise.resolve(reading(folders[0], (db) => db.prepare(text).all() as R[])),
      ),
      opened('postgres', folders[1], { ROOKERY_DATABASE_URL: server.url }, server.rows),
    )
  } finally {
    for (const close of closers.reverse()) await close()
  }
}
