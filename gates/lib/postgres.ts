// A PostgreSQL of a gate's own, as the benches have it.
import { freshFolder, removeFolder } from '../../bench/lib/folder.ts'
import { startPostgres } from '../../bench/lib/postgres.ts'

/** Plays with the URL of an empty database, and takes everything down afterwards. */
export async function withPostgres<T>(play: (databaseUrl: string) => Promise<T>): Promise<T> {
  const folder = freshFolder()
  try {
    const server = await startPostgres(folder)
    try {
      return await play(server.url)
    } finally {
      await server.stop()
    }
  } finally {
    removeFolder(folder)
  }
}
