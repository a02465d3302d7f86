// What a move asks of its two databases besides the rows of their tables.
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { sql } from 'kysely'
import type { CommitSequenceRow } from '../db/commit-sequence.ts'
import type { Engine } from '../db/engine.ts'
import { UNFINISHED_MOVE } from '../db/migrate.ts'
import type { Query, Tx } from '../db/query.ts'

/** Row of `meta`, while the move is unfinished. */
export const PROGRESS = 'move'

/** In a transaction that stays open: nobody else writes meanwhile. That of SQLite has the file's lock already. */
export async function lockSource({ name }: Engine, query: Query): Promise<void> {
  if (name === 'sqlite') return
  await sql`SET LOCAL idle_in_transaction_session_timeout = 0`.execute(query)
  await sql`SELECT 1 FROM commit_sequence WHERE id = 1 FOR UPDATE`.execute(query)
}

/**
 * Changes with each commit of a console. PostgreSQL has a number of each writer's last one; a file of SQLite is written once
 * its log is copied, which closing it does.
 */
export async function stateOf({ name, reader, place }: Engine): Promise<string> {
  if (name === 'sqlite') {
    const { mtimeNs, size } = statSync(place, { bigint: true })
    return `${mtimeNs}:${size}`
  }
  const sequence = await reader.selectFrom('commit_sequence').selectAll().execute()
  const commits = await reader.selectFrom('last_commit').selectAll().orderBy('writer_id').execute()
  return createHash('sha256')
    .update(JSON.stringify([sequence, commits]))
    .digest('hex')
}

export async function clearTables(tx: Tx, names: readonly string[]): Promise<void> {
  const clear = tx.engine === 'postgres' ? 'TRUNCATE' : 'DELETE FROM'
  for (const name of names) await tx.rows(`${clear} ${name}`, [])
}

/** From this commit on, a console starts on the target, and its numbers rise from those of the source. */
export async function endMove(
  target: Engine,
  { updated_id, config_version }: CommitSequenceRow,
): Promise<void> {
  // The planner knows nothing of the new rows otherwise, until the server looks by itself.
  if (target.name === 'postgres')
    await target.alter(async (query) => void (await sql`ANALYZE`.execute(query)))
  await target.transaction(async ({ query }) => {
    await query
      .updateTable('commit_sequence')
      .set({ updated_id, config_version })
      .where('id', '=', 1)
      .execute()
    await query.deleteFrom('meta').where('name', '=', PROGRESS).execute()
    await query.deleteFrom('schema_migration').where('name', '=', UNFINISHED_MOVE).execute()
  })
}
