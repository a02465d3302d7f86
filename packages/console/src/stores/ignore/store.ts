// The ignore lists: every query on their lines, and on the modes of Flocks.
import { sql } from 'kysely'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Query, Tx } from '../../db/query.ts'
import { LINES } from '../../addresses/ip-list.ts'
import type { IgnoreTables, ListName } from './tables.ts'

export type FlockIgnore = IgnoreTables['flock_ignore']

/** The console's own list, or a Flock's by its id. */
export const CONSOLE = 'console'

export async function readLines(db: Query, list: ListName, owner: string): Promise<string[]> {
  const rows = await db
    .selectFrom('ignored_line')
    .select('line')
    .where('list', '=', list)
    .where('owner', '=', owner)
    .orderBy('position')
    .execute()
  return rows.map(({ line }) => line)
}

/** Replaces the whole list; every console clears its caches. */
export async function replaceLines(
  tx: Tx,
  list: ListName,
  owner: string,
  lines: readonly string[],
): Promise<void> {
  await tx.query.deleteFrom('ignored_line').where('list', '=', list).where('owner', '=', owner).execute()
  await tx.insertMany(
    'ignored_line',
    lines.map((line, position) => ({ list, owner, position, line })),
  )
  await listsChanged(tx)
}

/** Appends a line unless it exists, and answers whether it did; a full list is a `conflict`. */
export async function addLine(tx: Tx, list: ListName, owner: string, line: string): Promise<boolean> {
  const lines = tx.query.selectFrom('ignored_line').where('list', '=', list).where('owner', '=', owner)
  if (await lines.select('position').where('line', '=', line).executeTakeFirst()) return true
  const last = await lines.select('position').orderBy('position', 'desc').limit(1).executeTakeFirst()
  const position = (last?.position ?? -1) + 1
  if (position >= LINES.max) {
    LINES.hit()
    throw new Fault('conflict', `The list is full: it has ${LINES.max} lines.`)
  }
  await tx.insertMany('ignored_line', [{ list, owner, position, line }])
  await listsChanged(tx)
  return false
}

/** Removes the last line that says exactly this. */
export async function removeLine(tx: Tx, list: ListName, owner: string, line: string): Promise<void> {
  const lines = await readLines(tx.query, list, owner)
  const at = lines.lastIndexOf(line)
  if (at >= 0) await replaceLines(tx, list, owner, lines.toSpliced(at, 1))
}

/** Every line of every owner of a list, in their order. */
export const readAllLines = (
  db: Query,
): Promise<readonly Pick<IgnoreTables['ignored_line'], 'list' | 'owner' | 'line'>[]> =>
  db
    .selectFrom('ignored_line')
    .select(['list', 'owner', 'line'])
    .orderBy('list')
    .orderBy('owner')
    .orderBy('position')
    .execute()

export const readFlockIgnores = (db: Query): Promise<FlockIgnore[]> =>
  db.selectFrom('flock_ignore').selectAll().execute()

export async function readFlockIgnore(db: Query, flockId: string): Promise<FlockIgnore> {
  const row = await db
    .selectFrom('flock_ignore')
    .selectAll()
    .where('flock_id', '=', flockId)
    .executeTakeFirst()
  return row ?? { flock_id: flockId, mode: 'global', inherits: 0 }
}

/** Changes the mode of a Flock's list. */
export async function changeFlockIgnore(
  tx: Tx,
  flockId: string,
  change: Partial<Pick<FlockIgnore, 'mode' | 'inherits'>>,
): Promise<void> {
  const row = { ...(await readFlockIgnore(tx.query, flockId)), ...change }
  await tx.insertMany('flock_ignore', [row], { key: ['flock_id'], then: 'replace' })
  await listsChanged(tx)
}

/** Removes the list of a Flock that is deleted. */
export async function removeIgnoreOfFlock(tx: Tx, flockId: string): Promise<void> {
  await tx.query.deleteFrom('ignored_line').where('owner', '=', flockId).execute()
  await tx.query.deleteFrom('flock_ignore').where('flock_id', '=', flockId).execute()
  await listsChanged(tx)
}

/** Increases with every change of the lists. */
export async function readIgnoreVersion(db: Query): Promise<number> {
  const row = await db
    .selectFrom('ignore_version')
    .select('version')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return row.version
}

async function listsChanged(tx: Tx): Promise<void> {
  await tx.query
    .updateTable('ignore_version')
    .set({ version: sql`version + 1` })
    .where('id', '=', 1)
    .execute()
  await tx.configChanged()
}
