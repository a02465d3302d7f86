// Commands to Birds: rows with a state, sent by the console that holds the Bird's link.
import { sql } from 'kysely'
import type { Query, Tx } from '../../db/query.ts'
import { notifyLinks } from './link-changes.store.ts'
import type { BirdTables } from './tables.ts'

export type CommandRow = BirdTables['bird_command']

const OPEN = ['waiting', 'sent'] as const

/** Adds a command and notifies the Bird's link. */
export async function addCommand(
  tx: Tx,
  command: Pick<CommandRow, 'command_id' | 'node_id' | 'kind' | 'payload' | 'created_at'>,
): Promise<void> {
  await tx.insertMany('bird_command', [
    { ...command, state: 'waiting', detail: '', updated_at: command.created_at },
  ])
  await notifyLinks(tx, [command.node_id])
}

/** Commands of this Bird without a result, oldest first. */
export const openCommands = (db: Query, nodeId: string): Promise<CommandRow[]> =>
  db
    .selectFrom('bird_command')
    .selectAll()
    .where('node_id', '=', nodeId)
    .where('state', 'in', [...OPEN])
    .orderBy('created_at')
    .orderBy('command_id')
    .execute()

export async function hasOpenCommand(db: Query, nodeId: string, kind: string): Promise<boolean> {
  return (await openCommands(db, nodeId)).some((command) => command.kind === kind)
}

/** Moves a command of this Bird that has no result; answers its kind, or undefined when there is none such. */
export async function settleCommand(
  db: Query,
  nodeId: string,
  commandId: string,
  change: Pick<CommandRow, 'state' | 'detail' | 'updated_at'>,
): Promise<string | undefined> {
  const row = await db
    .updateTable('bird_command')
    .set(change)
    .where('command_id', '=', commandId)
    .where('node_id', '=', nodeId)
    .where('state', 'in', [...OPEN])
    .returning('kind')
    .executeTakeFirst()
  return row?.kind
}

/** Cancels the commands of this Bird that have no result. */
export async function cancelCommands(db: Query, nodeId: string, at: number): Promise<void> {
  await db
    .updateTable('bird_command')
    .set({ state: 'cancelled', updated_at: at })
    .where('node_id', '=', nodeId)
    .where('state', 'in', [...OPEN])
    .execute()
}

/** Removes at most `most` commands that were settled before `before`; answers how many. */
export async function removeSettledCommands(tx: Tx, before: number, most: number): Promise<number> {
  const settled = await tx.query
    .selectFrom('bird_command')
    .select('command_id')
    // Repeats the predicate of the partial index `bird_command_settled`.
    .where(sql<boolean>`state <> 'waiting' AND state <> 'sent'`)
    .where('updated_at', '<', before)
    .orderBy('updated_at')
    .limit(most)
    .execute()
  await tx.deleteMany(
    'bird_command',
    'command_id',
    settled.map(({ command_id }) => command_id),
  )
  return settled.length
}
