// The search index (decision 0012), read: heads, columns, kinds and listed sources.
import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { inList } from '../../db/in-list.ts'
import type { CopiedRow } from '../../db/postgres/copy-out.ts'
import { containsText, foldedContains } from '../../db/text.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import { COLUMNS, type BlockHead, type Column, type Indexed, type Kind } from './block.ts'
import type { IncidentFilter } from './filter.store.ts'

const BLOCKS_PER_COLUMN = 2 ** 24

export const cellId = (column: Column, block: number): number => COLUMNS[column] * BLOCKS_PER_COLUMN + block

/** All blocks, oldest first. */
export const blockHeads = (db: Query): Promise<BlockHead[]> =>
  db.selectFrom('search_block').selectAll().orderBy('block').execute()

/** The end of the index, or of its full blocks alone; zeros before the first. */
export async function indexEnd(db: Query, of: 'all' | 'full'): Promise<Pick<BlockHead, 'block' | 'last_id'>> {
  let q = db.selectFrom('search_block').select(['block', 'last_id']).orderBy('last_id', 'desc').limit(1)
  if (of === 'full') q = q.where('provisional', '=', 0)
  return (await q.executeTakeFirst()) ?? { block: 0, last_id: 0 }
}

/** Cells by their numbers; those that are not there are left out. */
export async function cellsOf(
  db: Query,
  engine: EngineName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  if (ids.length === 0) return new Map()
  if (engine === 'postgres') {
    const given = sql.lit(`{${ids.join()}}`)
    const cells = await copied(
      db,
      sql`cell_id, cells FROM search_cells WHERE cell_id = ANY (${given}::bigint[])`,
    )
    return new Map(cells)
  }
  const rows = await db
    .selectFrom('search_cells')
    .selectAll()
    .where(inList(engine, 'cell_id', ids))
    .execute()
  return new Map(rows.map((row) => [row.cell_id, row.cells]))
}

/** A stretch of a cell, bytes. */
export interface Stretch {
  readonly id: number
  readonly from: number
  readonly length: number
}

/** Stretches of cells on PostgreSQL, which then reads no more of them, in the order asked for. */
export async function stretchesOf(db: Query, stretches: readonly Stretch[]): Promise<readonly Uint8Array[]> {
  if (stretches.length === 0) return []
  const byPlace = new Map(await copied(db, sql`nth, substr(cells, first, length) ${ofGiven(stretches)}`))
  return stretches.map((_, nth) => byPlace.get(nth) ?? NO_CELLS)
}

/** Written out, for a copy takes no values. */
function ofGiven(stretches: readonly Stretch[]): RawBuilder<unknown> {
  const list = (values: readonly number[], type: string) =>
    sql`${sql.lit(`{${values.join()}}`)}::${sql.raw(type)}[]`
  const given = sql`unnest(
    ${list([...stretches.keys()], 'bigint')},
    ${list(
      stretches.map(({ id }) => id),
      'bigint',
    )},
    ${list(
      stretches.map(({ from }) => from + 1),
      'int',
    )},
    ${list(
      stretches.map(({ length }) => length),
      'int',
    )})`
  return sql`FROM ${given} AS given (nth, id, first, length) JOIN search_cells ON cell_id = id`
}

/** Copied in binary: as hex digits, a search of millions of incidents would take most of its time to spell them. */
async function copied(db: Query, what: RawBuilder<unknown>): Promise<[number, Uint8Array][]> {
  const { rows } = await sql<CopiedRow>`COPY (SELECT ${what}) TO STDOUT (FORMAT binary)`.execute(db)
  return rows.map(([id, cells]) => [int8(id), cells ?? NO_CELLS])
}

const NO_CELLS = new Uint8Array()

const int8 = (bytes: Uint8Array | null | undefined): number => {
  if (!bytes) throw new Error('A copied number is missing.')
  return Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0))
}

/** The next incidents behind `after`, as many as asked for, as far as there are. */
export const nextToIndex = (db: Query, after: number, limit: number): Promise<Indexed[]> =>
  db
    .selectFrom('incident')
    .select([
      'incident_id',
      'created_at',
      'src_host',
      'logtype',
      'summary',
      'node_id',
      'flock_id',
      'dst_host',
    ])
    .where('incident_id', '>', after)
    .orderBy('incident_id')
    .limit(limit)
    .execute()

export async function kindId(db: Query, kind: Kind): Promise<number | undefined> {
  const { logtype, summary, node_id, flock_id, dst_host } = kind
  const row = await db
    .selectFrom('search_kind')
    .select('kind_id')
    .where('node_id', '=', node_id)
    .where('logtype', '=', logtype)
    .where('flock_id', '=', flock_id)
    .where('dst_host', '=', dst_host)
    .where('summary', '=', summary)
    .executeTakeFirst()
  return row?.kind_id
}

/** What a filter says of a kind: incidents of it do not match, match if their source has the text, or match. */
export const NO = 0
export const IF_SOURCE = 1
export const YES = 2

/** The verdict on each kind, by its number; 0 is none's. */
export async function kindVerdicts(
  db: Query,
  engine: EngineName,
  scope: Scope,
  { text, nodeId, flockId, logtypes }: IncidentFilter,
): Promise<Uint8Array> {
  const isNarrow = [scope === 'all' ? undefined : scope, nodeId, flockId, logtypes].some(
    (it) => it !== undefined,
  )
  const has = text === undefined ? sql<SqlBool>`1 = 1` : foldedContains(engine, 'folded', text)
  let q = db
    .selectFrom('search_kind')
    .select([
      'kind_id',
      sql<number | null>`CASE WHEN ${has} THEN ${sql.lit(YES)} ELSE ${sql.lit(IF_SOURCE)} END`.as('verdict'),
    ])
  if (scope !== 'all') q = q.where('flock_id', 'in', scope.length > 0 ? [...scope] : [''])
  if (nodeId !== undefined) q = q.where('node_id', '=', nodeId)
  if (flockId !== undefined) q = q.where('flock_id', '=', flockId)
  if (logtypes !== undefined) q = q.where('logtype', 'in', logtypes.length > 0 ? [...logtypes] : [''])
  // Where most kinds are judged alike, only the others are asked for, and how many there are.
  const most = isNarrow ? NO : text === undefined ? YES : IF_SOURCE
  if (!isNarrow) q = q.where(text === undefined ? sql<SqlBool>`1 = 0` : has)
  const largest = db
    .selectFrom('search_kind')
    .select([sql<number>`coalesce(max(kind_id), 0)`.as('kind_id'), sql<null>`NULL`.as('verdict')])
  const rows = await q.unionAll(largest).execute()
  const kinds = rows.find(({ verdict }) => verdict === null)?.kind_id ?? 0
  const verdicts = new Uint8Array(kinds + 1).fill(most, 1)
  for (const { kind_id, verdict } of rows) if (verdict !== null) verdicts[kind_id] = verdict
  return verdicts
}

/** The listed sources that contain the text. */
export async function sourcesContaining(
  db: Query,
  engine: EngineName,
  text: string,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('search_source')
    .select('source_id')
    .where(containsText(engine, ['source'], text))
    .execute()
  return new Set(rows.map((row) => row.source_id))
}

/** The number of a listed source, by its exact text. */
export async function sourceId(db: Query, source: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('search_source')
    .select('source_id')
    .where('source', '=', source)
    .executeTakeFirst()
  return row?.source_id
}

export async function sourceTexts(
  db: Query,
  engine: EngineName,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('search_source')
    .selectAll()
    .where(inList(engine, 'source_id', ids))
    .execute()
  return new Map(rows.map((row) => [row.source_id, row.source]))
}
