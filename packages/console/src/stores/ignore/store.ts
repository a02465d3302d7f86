// The lines of the ignore lists: every query on their table.
import type { Query, Tx } from '../../db/query.ts'

/** The console's own list, or a Flock's by its id. */
export type ListOwner = 'console' | `flock:${string}`

export async function readIpLines(db: Query, owner: ListOwner): Promise<string[]> {
  const rows = await db
    .selectFrom('ignored_ip')
    .select('line')
    .where('owner', '=', owner)
    .orderBy('position')
    .execute()
  return rows.map(({ line }) => line)
}

/** Replaces the whole list and tells every console. */
export async function replaceIpLines(tx: Tx, owner: ListOwner, lines: readonly string[]): Promise<void> {
  await tx.query.deleteFrom('ignored_ip').where('owner', '=', owner).execute()
  await tx.insertMany(
    'ignored_ip',
    lines.map((line, position) => ({ owner, position, line })),
  )
  await tx.configChanged()
}

/** Adds a line at the end, unless it is there, and tells every console. */
export async function addIpLine(tx: Tx, owner: ListOwner, line: string): Promise<void> {
  const lines = tx.query.selectFrom('ignored_ip').where('owner', '=', owner)
  if (await lines.select('position').where('line', '=', line).executeTakeFirst()) return
  const last = await lines.select('position').orderBy('position', 'desc').limit(1).executeTakeFirst()
  await tx.insertMany('ignored_ip', [{ owner, position: (last?.position ?? -1) + 1, line }])
  await tx.configChanged()
}
