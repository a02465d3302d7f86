// The search index (decision 0012), written: whole blocks behind the commit, states with the change itself.
import { inList } from '../../db/in-list.ts'
import type { Query, Tx } from '../../db/query.ts'
import { folding } from '../../db/text.ts'
import { pipeline } from '../../db/pipeline.ts'
import {
  ACKNOWLEDGED,
  asU32,
  bytesOf,
  COLUMN_NAMES,
  DELETED,
  sourceBytes,
  type BlockHead,
  type Column,
  type Draft,
  type Kind,
} from './block.ts'
import { cellId, indexEnd } from './index.store.ts'
import { KIND_TEXTS } from './filter.store.ts'

export interface Prepared {
  readonly draft: Draft
  /** A provisional block is put behind all others; a full one behind the full ones, in place of the provisional ones. */
  readonly isProvisional: boolean
  /** The number of the incident that it is put behind. */
  readonly behind: number
}

/** Stores the block; false when another console was first, and the block must be drafted anew. */
export async function storeBlock(tx: Tx, { draft, isProvisional, behind }: Prepared): Promise<boolean> {
  const end = await indexEnd(tx.query, 'all')
  const before = isProvisional ? end : await indexEnd(tx.query, 'full')
  if (before.last_id !== behind || end.last_id > draft.head.last_id) return false
  const { head, kinds, numbers, times, addresses, listed, origins } = draft
  const ids: number[] = []
  for (const { id, kind } of kinds) ids.push(id ?? (await addKind(tx, kind)))
  if (ids.some((id, place) => id <= (ids[place - 1] ?? 0))) return false
  const sourceIds: number[] = []
  for (const source of listed) sourceIds.push(await addSource(tx, source))
  const states = await readStates(tx.query, draft)
  if (!isProvisional) await removeBehind(tx, before.block)
  const block = before.block + 1
  await tx.insertMany('search_block', [
    { block, ...head, ...countsOf(states), provisional: isProvisional ? 1 : 0 },
  ])
  const columns: Record<Column, Uint8Array> = {
    numbers: bytesOf(numbers),
    sources: sourceBytes(addresses, sourceIds),
    origins: bytesOf(origins),
    states,
    times: bytesOf(times),
    list: bytesOf(
      Uint32Array.from(ids),
      Uint16Array.from(kinds, ({ end }) => end),
    ),
  }
  for (const column of COLUMN_NAMES) await putCells(tx, cellId(column, block), columns[column])
  return true
}

function countsOf(states: Uint8Array): Pick<BlockHead, 'acknowledged' | 'deleted'> {
  let acknowledged = 0
  let deleted = 0
  for (const state of states) {
    if ((state & ACKNOWLEDGED) !== 0) acknowledged++
    if ((state & DELETED) !== 0) deleted++
  }
  return { acknowledged, deleted }
}

async function removeBehind(tx: Tx, last: number): Promise<void> {
  const removed = await tx.query
    .deleteFrom('search_block')
    .where('block', '>', last)
    .returning('block')
    .execute()
  const cells = removed.flatMap(({ block }) => COLUMN_NAMES.map((column) => cellId(column, block)))
  if (cells.length > 0)
    await tx.query
      .deleteFrom('search_cells')
      .where(inList(tx.engine, 'cell_id', cells))
      .execute()
}

const putCells = (tx: Tx, id: number, cells: Uint8Array): Promise<unknown> =>
  tx.rows(
    `INSERT INTO search_cells (cell_id, cells) VALUES (?, ?)
     ON CONFLICT (cell_id) DO UPDATE SET cells = excluded.cells`,
    [id, cells],
  )

async function addKind(tx: Tx, kind: Kind): Promise<number> {
  const { logtype, summary, node_id, flock_id, dst_host } = kind
  const [row] = await tx.rows<{ kind_id: number }>(
    `INSERT INTO search_kind (kind_id, logtype, summary, node_id, flock_id, dst_host, folded)
     VALUES ((SELECT coalesce(max(kind_id), 0) + 1 FROM search_kind), ?, ?, ?, ?, ?,
       ${folding(tx.engine, KIND_TEXTS.length)})
     ON CONFLICT (node_id, logtype, flock_id, dst_host, summary) DO UPDATE SET summary = excluded.summary
     RETURNING kind_id`,
    [logtype, summary, node_id, flock_id, dst_host, ...KIND_TEXTS.map((column) => kind[column])],
  )
  return row?.kind_id ?? 0
}

async function addSource(tx: Tx, source: string): Promise<number> {
  const [row] = await tx.rows<{ source_id: number }>(
    `INSERT INTO search_source (source_id, source)
     VALUES ((SELECT coalesce(max(source_id), 0) + 1 FROM search_source), ?)
     ON CONFLICT (source) DO UPDATE SET source = excluded.source
     RETURNING source_id`,
    [source],
  )
  return row?.source_id ?? 0
}

/** The states as this transaction sees them: whatever changed since the draft was made is in them. */
async function readStates(db: Query, { head, numbers }: Draft): Promise<Uint8Array> {
  const changed = await db
    .selectFrom('incident_state')
    .select(['incident_id', 'acknowledged', 'deleted_at'])
    .where('incident_id', '>=', head.first_id)
    .where('incident_id', '<=', head.last_id)
    // Both sums keep the planner on the numbers' own index.
    .where((e) => e.or([e(e('acknowledged', '+', 0), '>', 0), e('deleted_at', 'is not', null)]))
    .orderBy('incident_id')
    .execute()
  const states = new Uint8Array(head.n)
  const wanted = changed.map(({ incident_id }) => incident_id - head.first_id)
  eachPlace(numbers, wanted, (place, at) => {
    const { acknowledged = 0, deleted_at = null } = changed[at] ?? {}
    states[place] = (acknowledged === 1 ? ACKNOWLEDGED : 0) | (deleted_at === null ? 0 : DELETED)
  })
  return states
}

/** An incident and its new state. */
export interface Stated {
  readonly incident_id: number
  readonly state: number
}

/** Blocks whose columns are in memory at once. */
const BLOCKS_AT_ONCE = 8

/** Writes new states of incidents into their blocks; those that are in none yet are read when theirs is made. */
export async function indexStates(tx: Tx, changed: readonly Stated[]): Promise<void> {
  const rising = changed.toSorted((a, b) => a.incident_id - b.incident_id)
  const heads = await tx.rows<Pick<BlockHead, 'block' | 'first_id' | 'last_id'>>(
    // Blocks follow each other: the first that ends behind the last incident is the last that can have one.
    `SELECT block, first_id, last_id FROM search_block WHERE last_id BETWEEN ?
       AND (SELECT coalesce(min(last_id), ${Number.MAX_SAFE_INTEGER}) FROM search_block WHERE last_id >= ?)
     ORDER BY last_id`,
    [rising[0]?.incident_id ?? 0, rising.at(-1)?.incident_id ?? 0],
  )
  const writes: (() => Promise<void>)[] = []
  let from = 0
  for (const { block, first_id, last_id } of heads) {
    let behind = from
    while (behind < rising.length && (rising[behind]?.incident_id ?? 0) <= last_id) behind++
    const ours = rising.slice(from, behind)
    from = behind
    if (ours.length > 0) writes.push(() => writeStates(tx, block, first_id, ours))
  }
  for (let at = 0; at < writes.length; at += BLOCKS_AT_ONCE)
    await pipeline(tx, writes.slice(at, at + BLOCKS_AT_ONCE))
}

async function writeStates(
  tx: Tx,
  block: number,
  first_id: number,
  changed: readonly Stated[],
): Promise<void> {
  const ids = [cellId('numbers', block), cellId('states', block)] as const
  const [numbers, before] = await tx.rows<{ cells: Uint8Array }>(
    'SELECT cells FROM search_cells WHERE cell_id IN (?, ?) ORDER BY cell_id',
    ids,
  )
  if (!numbers || !before) throw new Error(`Block ${block} of the search index has no numbers or no states.`)
  const states = new Uint8Array(before.cells)
  const wanted = changed.map(({ incident_id }) => incident_id - first_id)
  eachPlace(asU32(numbers.cells), wanted, (place, at) => {
    states[place] = changed[at]?.state ?? 0
  })
  const { acknowledged, deleted } = countsOf(states)
  await pipeline(tx, [
    () => putCells(tx, ids[1], states),
    () =>
      tx.rows('UPDATE search_block SET acknowledged = ?, deleted = ? WHERE block = ?', [
        acknowledged,
        deleted,
        block,
      ]),
  ])
}

/** Tells the place of each wanted number that stands in the column, in one walk; the wanted ones rise. */
function eachPlace(
  numbers: Uint32Array,
  wanted: readonly number[],
  tell: (place: number, at: number) => void,
): void {
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[place] as number
    let low = 0
    let high = wanted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((wanted[middle] as number) < number) low = middle + 1
      else high = middle
    }
    if (wanted[low] === number) tell(place, low)
  }
}
