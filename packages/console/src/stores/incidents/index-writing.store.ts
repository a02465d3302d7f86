// The search index (decision 0012), written: whole blocks behind the commit, states with the change itself.
import type { Query, Tx } from '../../db/query.ts'
import { ACKNOWLEDGED, asU32, bytesOf, DELETED, LISTED, type Column, type Draft, type Kind } from './block.ts'
import { cellId, indexedUpTo } from './index.store.ts'
import type { IncidentRow } from './filter.store.ts'

/** A draft, with the numbers of those of its kinds that are known already. */
export interface Prepared {
  readonly draft: Draft
  /** Up to where the index stood when it was made. */
  readonly behind: number
  readonly kindIds: readonly (number | undefined)[]
}

/** Stores the block; false when another console was first. */
export async function storeBlock(tx: Tx, { draft, behind, kindIds }: Prepared): Promise<boolean> {
  if ((await indexedUpTo(tx.query)) !== behind) return false
  const { head, kinds, listed } = draft
  const [last] = await tx.rows<{ block: number | null }>('SELECT max(block) AS block FROM search_block', [])
  const block = (last?.block ?? 0) + 1
  const list = new Uint32Array(kinds.length)
  for (const [place, kind] of kinds.entries()) list[place] = kindIds[place] ?? (await addKind(tx, kind))
  const states = await readStates(tx.query, draft)
  for (const [source, places] of listed) {
    const id = await addSource(tx, source)
    for (const at of places) {
      draft.sources[at] = id
      states[at] = (states[at] ?? 0) | LISTED
    }
  }
  await tx.insertMany('search_block', [{ block, ...head }])
  const columns: [Column, Uint8Array][] = [
    ['numbers', bytesOf(draft.numbers)],
    ['kinds', bytesOf(draft.kindOf)],
    ['sources', bytesOf(draft.sources)],
    ['states', states],
    ['times', bytesOf(draft.times)],
    ['list', bytesOf(list)],
  ]
  for (const [column, bytes] of columns) await putCells(tx, cellId(column, block), bytes)
  return true
}

const putCells = (tx: Tx, id: number, cells: Uint8Array): Promise<unknown> =>
  tx.rows(
    `INSERT INTO search_cells (cell_id, cells) VALUES (?, ?)
     ON CONFLICT (cell_id) DO UPDATE SET cells = excluded.cells`,
    [id, cells],
  )

async function addKind(tx: Tx, { logtype, summary, node_id, flock_id, dst_host }: Kind): Promise<number> {
  const [row] = await tx.rows<{ kind_id: number }>(
    `INSERT INTO search_kind (kind_id, logtype, summary, node_id, flock_id, dst_host)
     VALUES ((SELECT coalesce(max(kind_id), 0) + 1 FROM search_kind), ?, ?, ?, ?, ?)
     ON CONFLICT (node_id, logtype, flock_id, dst_host, summary) DO UPDATE SET summary = excluded.summary
     RETURNING kind_id`,
    [logtype, summary, node_id, flock_id, dst_host],
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
  const states = new Uint8Array(head.n)
  const rows = await db
    .selectFrom('incident')
    .select(['incident_id', 'acknowledged', 'deleted_at'])
    .where('incident_id', '>=', head.first_id)
    .where('incident_id', '<=', head.last_id)
    // Both sums keep the planner on the numbers' own index.
    .where((e) => e.or([e(e('acknowledged', '+', 0), '>', 0), e('deleted_at', 'is not', null)]))
    .execute()
  for (const { incident_id, acknowledged, deleted_at } of rows) {
    states[placeOf(numbers, incident_id - head.first_id)] =
      (acknowledged === 1 ? ACKNOWLEDGED : 0) | (deleted_at === null ? 0 : DELETED)
  }
  return states
}

/** Writes new states of incidents into their blocks; those that are in none yet are read when theirs is made. */
export async function indexStates(
  tx: Tx,
  rows: readonly Pick<IncidentRow, 'incident_id'>[],
  stateOf: (index: number) => number,
): Promise<void> {
  const order = rows.map((_, index) => index)
  order.sort((a, b) => (rows[a]?.incident_id ?? 0) - (rows[b]?.incident_id ?? 0))
  let at = 0
  while (at < order.length) {
    const id = rows[order[at] ?? 0]?.incident_id ?? 0
    const [head] = await tx.rows<{ block: number; first_id: number; last_id: number }>(
      'SELECT block, first_id, last_id FROM search_block WHERE last_id >= ? ORDER BY last_id LIMIT 1',
      [id],
    )
    if (!head) return
    const ids = [cellId('numbers', head.block), cellId('states', head.block)] as const
    const cells = await tx.rows<{ cells: Uint8Array }>(
      'SELECT cells FROM search_cells WHERE cell_id IN (?, ?) ORDER BY cell_id',
      ids,
    )
    const numbers = asU32(cells[0]?.cells ?? new Uint8Array())
    const states = new Uint8Array(cells[1]?.cells ?? [])
    for (; at < order.length; at++) {
      const index = order[at] ?? 0
      const incidentId = rows[index]?.incident_id ?? 0
      if (incidentId > head.last_id) break
      const place = placeOf(numbers, incidentId - head.first_id)
      if (place >= 0) states[place] = ((states[place] ?? 0) & LISTED) | stateOf(index)
    }
    await putCells(tx, ids[1], states)
  }
}

/** Where a number stands in a rising column; −1 when it does not. */
function placeOf(numbers: Uint32Array, wanted: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = numbers[middle] as number
    if (found === wanted) return middle
    if (found < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}
