// Moves everything from one database into an empty one, of either engine. No console may be running.
import { Fault } from '@rookery/kernel/fault.ts'
import { copyTable, type Key } from '../db/copy-table.ts'
import type { Engine } from '../db/engine.ts'
import { refuseWhileServed } from '../db/lease.store.ts'
import { readMeta, writeMeta } from '../db/meta.store.ts'
import { holdsUnfinishedMove, migrate, UNFINISHED_MOVE } from '../db/migrate.ts'
import { migrations } from '../db/migrations.gen.ts'
import { countRows, storedTables, type StoredTable } from '../db/stored-tables.ts'
import type { OpenContext } from '../open-context.ts'
import { verifyAudit } from '../stores/audit/verify.ts'
import { clearTables, endMove, lockSource, PROGRESS, stateOf } from './move.store.ts'

/** Belong to the database or to the consoles that run on it, and stay with them; the numbers of the first are written last. */
export const OWN_TABLES: readonly string[] = ['commit_sequence', 'last_commit', 'lease', 'schema_migration']
/** Rows between two lines of progress. */
const LINE_ROWS = 100_000

export interface Moved {
  readonly rows: number
  readonly tables: number
  /** As `rookery doctor` says it: the last row of the audit trail, and its MAC. */
  readonly auditHead: string
}

export interface MoveOptions {
  readonly source: Pick<OpenContext, 'engine' | 'vault' | 'world' | 'outage'>
  readonly target: Engine
  /** Takes each line of progress. */
  readonly tell: (line: string) => void
}

interface Progress {
  /** Of the source when the move began. */
  readonly state: string
  readonly tables: Record<string, { readonly rows: number; readonly after: Key }>
}

/** Throws `conflict` while a console runs, and for a target that holds anything but an unfinished move. */
export async function move({ source, target, tell }: MoveOptions): Promise<Moved> {
  const { engine, world } = source
  let moved: Moved | undefined
  // A transaction that changes nothing: while it is open, nobody else writes into the source.
  await engine.alter(async (query) => {
    await lockSource(engine, query)
    await refuseWhileServed(query, engine.place, world.clock.now())
    const state = await stateOf(engine)
    await prepare(target, () => world.clock.now())
    const progress = await begin(target, state, tell)
    const tables = (await storedTables(engine)).filter(({ name }) => !OWN_TABLES.includes(name))
    for (const table of inOrder(tables)) await copy(engine, target, table, progress, tell)
    moved = await finish(source, target, tables)
  })
  if (!moved) throw new Error('The move has no end.')
  return moved
}

/** Makes the tables of an empty target. */
async function prepare(target: Engine, now: () => number): Promise<void> {
  if (await holdsUnfinishedMove(target, migrations)) return
  const held = await holdings(target)
  if (held !== undefined)
    throw new Fault('conflict', `${target.place} is not empty: it holds ${held}. Name an empty one.`)
  await migrate(target, { ...migrations, [UNFINISHED_MOVE]: () => [] }, now)
}

/** Tables with their rows, the fullest first; undefined for no table. */
async function holdings(target: Engine): Promise<string | undefined> {
  const tables = await storedTables(target)
  if (tables.length === 0) return undefined
  const counted: { name: string; rows: number }[] = []
  for (const { name } of tables) counted.push({ name, rows: await countRows(target, name) })
  const full = counted.filter(({ rows }) => rows > 0).sort((a, b) => b.rows - a.rows)
  const named = full.slice(0, NAMED_TABLES).map(({ name, rows }) => `${name} (${rowsText(rows)})`)
  const rest = tables.length - named.length
  return [...named, ...(rest > 0 ? [`${rest} ${named.length > 0 ? 'more ' : ''}tables`] : [])].join(', ')
}

const NAMED_TABLES = 8

const rowsText = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`

/** Goes on where the move before stopped, if the source is as it was then; else clears the target. */
async function begin(target: Engine, state: string, tell: MoveOptions['tell']): Promise<Progress> {
  const kept = await readMeta(target.reader, PROGRESS)
  const before = kept === undefined ? undefined : (JSON.parse(kept) as Progress)
  if (before?.state === state) {
    tell('Going on where the move before stopped.')
    return before
  }
  if (before) tell('A console has run since the move before stopped: starting over.')
  const progress: Progress = { state, tables: {} }
  const tables = (await storedTables(target)).filter(({ name }) => !OWN_TABLES.includes(name))
  await target.transaction(async (tx) => {
    // The migrations themselves have made a row here and there.
    await clearTables(
      tx,
      tables.map(({ name }) => name),
    )
    await writeMeta(tx, PROGRESS, JSON.stringify(progress))
  })
  return progress
}

/** The check value of the master key first: what looks at an unfinished move then says that it is one. */
const inOrder = (tables: readonly StoredTable[]): readonly StoredTable[] =>
  tables.toSorted((a, b) => Number(b.name === 'meta') - Number(a.name === 'meta'))

async function copy(
  source: Engine,
  target: Engine,
  table: StoredTable,
  progress: Progress,
  tell: MoveOptions['tell'],
): Promise<void> {
  const { name } = table
  const before = progress.tables[name]
  await copyTable({
    source,
    target,
    table,
    after: before?.after,
    async note(tx, rows, after) {
      const sum = (progress.tables[name]?.rows ?? 0) + rows
      progress.tables[name] = { rows: sum, after }
      await writeMeta(tx, PROGRESS, JSON.stringify(progress))
      if (Math.floor(sum / LINE_ROWS) > Math.floor((sum - rows) / LINE_ROWS))
        tell(`${name}: ${rowsText(sum)} …`)
    },
  })
  tell(`${name}: ${rowsText(progress.tables[name]?.rows ?? 0)}`)
}

/** Compares both, then gives the target its numbers: from this commit on, a console starts on it. */
async function finish(
  { engine, vault }: MoveOptions['source'],
  target: Engine,
  tables: readonly StoredTable[],
): Promise<Moved> {
  let rows = 0
  for (const { name } of tables) {
    const [wanted, found] = [await countRows(engine, name), await countRows(target, name)]
    const own = name === 'meta' ? 1 : 0
    if (found - own !== wanted)
      throw new Error(`${target.place} has ${rowsText(found - own)} of ${name}, not ${wanted}.`)
    rows += wanted
  }
  const [before, after] = [await verifyAudit(engine.reader, vault), await verifyAudit(target.reader, vault)]
  if (after.failure !== before.failure || after.head !== before.head)
    throw new Error(
      `The audit trail of ${target.place} ends at ${after.head}: ${after.failure ?? 'too early'}.`,
    )
  await endMove(target, await engine.commitSequence())
  return { rows, tables: tables.length, auditHead: after.head }
}
