// A PostgreSQL of a gate's own, as the benches have it.
import { freshFolder, removeFolder } from '../../rig/folder.ts'
import { startPostgres, type RunningPostgres } from '../../rig/scenes/postgres.ts'

/** Plays with the URL of an empty database, and takes everything down afterwards. */
export const withPostgres = <T>(play: (databaseUrl: string) => Promise<T>): Promise<T> =>
  withServer((server) => play(server.url))

/** The same with a way to make more of them, by name. */
export const withDatabases = <T>(
  play: (createDatabase: (name: string) => Promise<string>) => Promise<T>,
): Promise<T> =>
  withServer((server) =>
    play(async (name) => {
      await server.rows(`CREATE DATABASE ${name}`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    }),
  )

async function withServer<T>(play: (server: RunningPostgres) => Promise<T>): Promise<T> {
  const folder = freshFolder()
  try {
    const server = await startPostgres(folder)
    try {
      return await play(server)
    } finally {
      await server.stop()
    }
  } finally {
    removeFolder(folder)
  }
}
