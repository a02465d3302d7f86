// Search: a scan of `incident_state`, which has every column that a search needs (decision 0021). Deleted incidents never
// match (`stateConditions`).
import { sql, type CompiledQuery, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Engine } from '../../db/engine.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import { inList } from '../../db/in-list.ts'
import { columnContains, foldedContains } from '../../db/text.ts'
import { withinTime } from '../../db/time-limit.ts'
import { nonEmpty, stateConditions, type ListFilter, type SearchFilter } from './filter.store.ts'
import {
  byCreation,
  cutPage,
  directionOf,
  PAGE_COLUMNS,
  stateWalks,
  type Page,
  type PageRow,
  type Walk,
} from './list.store.ts'
import { MANY_SOURCES } from './aggregation.ts'
import { sharedWith } from './shared.store.ts'
import { rangeTexts } from './source-range.ts'
import { UNIT_SEPARATOR } from './write.store.ts'

export interface Search {
  readonly scope: Scope
  readonly filter: SearchFilter
}

export interface Totals {
  readonly total: number
  /** The 1,000 largest: source address and count. */
  readonly bySource: readonly (readonly [string, number])[]
}

/** After this a search ends with `unavailable`. Each portion of `searchIds` has this time of its own. */
const LIMIT_MS = 15_000
const MAX_SOURCES = 1_000

/** Smaller in tests. */
export interface Sizes {
  /** Up to this many matches are loaded and sorted here. More matches are so dense that reading an index of lists soon fills a page. */
  readonly mostSorted: number
  /** The same for a search with totals, where a second scan would have to count. */
  readonly mostCounted: number
  readonly idsAtOnce: number
}

const SIZES: Sizes = { mostSorted: 2_000, mostCounted: 10_000, idsAtOnce: 10_000 }

/** A page of the matches, newest first. */
export async function searchPage(
  engine: Engine,
  search: Search,
  page: Page,
  sizes = SIZES,
): Promise<readonly PageRow[]> {
  const read = openReading(engine)
  const few = await fewMatches(engine, read, search, sizes.mostSorted)
  return few ? cutFew(few, page) : walk(engine, read, search, page)
}

/** The same, with the totals over all pages. */
export async function searchWithTotals(
  engine: Engine,
  search: Search,
  page: Page,
  sizes = SIZES,
): Promise<{ readonly page: readonly PageRow[]; readonly totals: Totals }> {
  const read = openReading(engine)
  const few = await fewMatches(engine, read, search, sizes.mostCounted)
  return few
    ? { page: cutFew(few, page), totals: countFew(few) }
    : { page: await walk(engine, read, search, page), totals: await countAll(engine, read, search) }
}

/** The numbers of all matches, rising; incidents that begin after the call are left out. */
export async function searchIds(
  engine: Engine,
  search: Search,
  { idsAtOnce } = SIZES,
): Promise<Float64Array> {
  // The number of a new incident is a new `updated_id`.
  const { updated_id: last } = await engine.commitSequence()
  const portions: Float64Array[] = []
  for (let after = 0; ;) {
    const rows = await openReading(engine)(
      scan(engine, search)
        .select('incident_id')
        .where('incident_id', '>', after)
        .where('incident_id', '<=', last)
        .orderBy('incident_id')
        .limit(idsAtOnce)
        .compile(),
    )
    portions.push(Float64Array.from(rows, ({ incident_id }) => incident_id))
    if (rows.length < idsAtOnce) return concatenated(portions)
    after = rows.at(-1)?.incident_id ?? last
  }
}

function concatenated(portions: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(portions.reduce((length, portion) => length + portion.length, 0))
  let at = 0
  for (const portion of portions) {
    all.set(portion, at)
    at += portion.length
  }
  return all
}

type Read = <T>(query: CompiledQuery<T>) => Promise<T[]>

/** Runs the statements of one search within one time limit. */
export function openReading(engine: Engine): Read {
  const untilMs = performance.now() + LIMIT_MS
  return (query) => engine.longRead(query, untilMs - performance.now())
}

/**
 * Scans the table in its order. SQLite has no statistics, and would look up each row through an index; PostgreSQL compares the
 * costs, and needs the columns as they are for its estimates.
 */
export function scan({ reader, name }: Engine, { scope, filter }: Search) {
  const conditions = stateConditions(scope, filter, name === 'sqlite' ? 'table' : 'any')
  return reader
    .selectFrom('incident_state')
    .where((e) => e.and([...conditions, ...matches(reader, name, filter)]))
}

type Match = PageRow & { readonly src_host: string }

/** All matches, unordered; undefined if there are more than `most`. */
async function fewMatches(
  engine: Engine,
  read: Read,
  search: Search,
  most: number,
): Promise<Match[] | undefined> {
  const rows = await read(
    scan(engine, search)
      .select([...PAGE_COLUMNS, 'src_host'])
      .limit(most + 1)
      .compile(),
  )
  return rows.length > most ? undefined : rows
}

function cutFew(few: readonly Match[], page: Page): PageRow[] {
  const { from, backward = false } = page
  const sign = backward ? 1 : -1
  const beyond = from ? few.filter((row) => sign * byCreation(row, from) > 0) : few
  return cutPage(beyond, 'newest', page).map(({ src_host: _, ...row }) => row)
}

function countFew(few: readonly Match[]): Totals {
  const counts = new Map<string, number>()
  for (const { src_host } of few) counts.set(src_host, (counts.get(src_host) ?? 0) + 1)
  const bySource = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return { total: few.length, bySource: bySource.slice(0, MAX_SOURCES) }
}

async function countAll(engine: Engine, read: Read, search: Search): Promise<Totals> {
  const bySource = scan(engine, search)
    .select(['src_host', sql<number>`count(*)`.as('n')])
    .groupBy('src_host')
  // A window function over all groups would take half as long again.
  const query = engine.reader
    .with('by_source', () => bySource)
    .selectFrom('by_source')
    .select(['src_host', 'n', sql<number>`(SELECT sum(n) FROM by_source)`.as('total')])
    .orderBy('n', 'desc')
    .orderBy('src_host')
    .limit(MAX_SOURCES)
  const rows = await read(query.compile())
  return {
    total: Number(rows[0]?.total ?? 0),
    bySource: rows.map(({ src_host, n }) => [src_host, Number(n)]),
  }
}

/** Reads the indexes of lists from the edge of the page. The engine merges them, and stops when the page is full. */
async function walk(engine: Engine, read: Read, { scope, filter }: Search, page: Page): Promise<PageRow[]> {
  const { reader, name } = engine
  const direction = directionOf('newest', page)
  const ordered = (rows: Walk): Walk =>
    rows.orderBy('created_at', direction).orderBy('incident_id', direction).limit(page.limit)
  const found = matches(reader, name, filter)
  const walks = stateWalks(reader, scope, listFilter(filter), 'newest', page)
    .map((one) => one.where((e) => e.and(found)))
    // PostgreSQL merges only what is ordered; SQLite orders the parts of a UNION itself.
    .map(
      (one) => (name === 'postgres' ? reader.selectFrom(ordered(one).as('walk')).selectAll() : one) as Walk,
    )
  const [first, ...others] = walks
  if (!first) return []
  const merged = ordered(others.reduce((all, one) => all.unionAll(one), first))
  return cutPage(await read(merged.compile()), 'newest', page)
}

function listFilter({ acknowledged, flockId, createdBefore, createdAfter }: SearchFilter): ListFilter {
  return {
    ...(acknowledged !== undefined && { acknowledged }),
    ...(flockId !== undefined && { flockId }),
    ...(createdBefore !== undefined && { createdBefore }),
    ...(createdAfter !== undefined && { createdAfter }),
  }
}

/** Conditions besides state, Flock and time. */
function matches(db: Query, engine: EngineName, filter: SearchFilter): RawBuilder<SqlBool>[] {
  const { nodeId, logtypes, srcHost, ofOneSource, text, ids } = filter
  const all: RawBuilder<SqlBool>[] = [withinTime(engine, 'incident_id')]
  if (ids !== undefined) all.push(inList(engine, 'incident_id', ids))
  const asked: Expression<SqlBool>[] = []
  if (nodeId !== undefined) asked.push(sql<SqlBool>`node_id = ${nodeId}`)
  if (logtypes !== undefined) asked.push(sql<SqlBool>`logtype IN (${sql.join(nonEmpty(logtypes))})`)
  if (asked.length > 0) all.push(sql`text_id IN (${textIds(db, asked)})`)
  if (srcHost !== undefined)
    all.push(srcHost.startsWith('!') ? sql`NOT ${isFrom(srcHost.slice(1))}` : isFrom(srcHost))
  if (ofOneSource) all.push(sql`src_host <> ${MANY_SOURCES}`)
  if (text !== undefined) all.push(hasText(db, engine, text))
  return all
}

/** From this source or, of a range, from one of its addresses; also where the incident has others besides. */
function isFrom(source: string): RawBuilder<SqlBool> {
  const texts = rangeTexts(source)
  if (!texts) return sql`(src_host = ${source} OR incident_id IN (${sharedWith(source)}))`
  const matches =
    'equal' in texts
      ? sql`src_host IN (${sql.join(texts.equal)})`
      : sql`(${sql.join(
          texts.begins.map((begin) => sql`src_host LIKE ${`${begin}%`}`),
          sql` OR `,
        )})`
  return sql`(${matches} OR incident_id IN (SELECT incident_id FROM incident_source WHERE ${matches}))`
}

const textIds = (db: Query, asked: readonly Expression<SqlBool>[]) =>
  db
    .selectFrom('search_text')
    .select('text_id')
    .where((e) => e.and(asked))

function hasText(db: Query, engine: EngineName, text: string): RawBuilder<SqlBool> {
  if (text.includes(UNIT_SEPARATOR)) return sql`1 = 0`
  // Most reverse names are empty: skips the search in them.
  return sql`(text_id IN (${textIds(db, [foldedContains(engine, sql.ref('text'), text)])})
    OR ${columnContains(engine, 'src_host', text)}
    OR incident_id IN (SELECT incident_id FROM incident_source WHERE ${columnContains(engine, 'src_host', text)})
    OR src_host_reverse <> '' AND ${columnContains(engine, 'src_host_reverse', text)})`
}
