// One pass over the search index, column by column, and over the incidents that are not in it yet (decision 0012).
import type { EngineName, Query } from '../../db/query.ts'
import { ipv4Containing, ipv4Value } from '../../net/ipv4.ts'
import {
  ACKNOWLEDGED,
  asF64,
  asU16,
  asU32,
  DELETED,
  LISTED,
  type BlockHead,
} from '../../stores/incidents/block.ts'
import type { IncidentFilter } from '../../stores/incidents/filter.store.ts'
import {
  blockHeads,
  cellsOf,
  IF_SOURCE,
  kindVerdicts,
  sourceId,
  sourcesContaining,
  YES,
} from '../../stores/incidents/index.store.ts'
import { unindexed } from '../../stores/incidents/unindexed.store.ts'
import type { FindRequest } from './request.ts'

/** Who hears of the matches; times and sources are read only for those who ask. */
export interface Listener {
  /** Whether anything of this block could matter. */
  wants(head: Pick<BlockHead, 'oldest_at' | 'newest_at'>): boolean
  readonly needsTimes: boolean
  readonly needsSources: boolean
  block(matches: Matches): void
  row(row: { readonly incident_id: number; readonly created_at: number; readonly src_host: string }): void
}

/** The first `count` places of `places` are those that match. */
export interface Matches {
  readonly head: BlockHead
  readonly places: Uint16Array
  readonly count: number
  readonly numbers: Uint32Array
  /** Empty unless needed. */
  readonly times: Float64Array
  readonly sources: Uint32Array
  readonly states: Uint8Array
}

/** Blocks whose columns are in memory at once: some hundred kilobytes each. */
const AT_ONCE = 16

export interface Scanning {
  readonly query: Query
  readonly engine: EngineName
  /** Called between portions; throws when the search has taken too long. */
  readonly goOn: () => void
  readonly rising: boolean
}

export async function scan(scanning: Scanning, request: FindRequest, listener: Listener): Promise<void> {
  const { query, rising, goOn } = scanning
  const heads = await blockHeads(query)
  const behind = heads.at(-1)?.last_id ?? 0
  const tail = async (): Promise<void> => {
    for await (const rows of unindexed(scanning, request.scope, request.filter, behind)) {
      for (const row of rows) listener.row(row)
      goOn()
    }
  }
  if (!rising) await tail()
  await blocks(scanning, request, listener, rising ? heads : heads.reverse())
  if (rising) await tail()
}

async function blocks(
  { query, engine, goOn }: Scanning,
  { scope, filter }: FindRequest,
  listener: Listener,
  heads: readonly BlockHead[],
): Promise<void> {
  if (heads.length === 0) return
  const verdicts = await kindVerdicts(query, engine, scope, filter)
  const sources = await sourceTests(query, engine, filter)
  if (!sources) return
  const stateMask =
    (filter.withDeleted ? 0 : DELETED) | (filter.acknowledged === undefined ? 0 : ACKNOWLEDGED)
  const state = filter.acknowledged === 1 ? ACKNOWLEDGED : 0
  const places = new Uint16Array(2 ** 16)
  const { createdAfter = -Infinity, createdBefore = Infinity } = filter

  for (let first = 0; first < heads.length; first += AT_ONCE) {
    goOn()
    const batch = heads
      .slice(first, first + AT_ONCE)
      .filter(
        (head) => head.newest_at > createdAfter && head.oldest_at < createdBefore && listener.wants(head),
      )
    if (batch.length === 0) continue
    const lists = await columnOf(query, 'list', batch)
    const local = new Map<number, Uint8Array>()
    for (const { block } of batch) {
      const found = localVerdicts(asU32(cell(lists, block)), verdicts, sources.canContain)
      if (found) local.set(block, found)
    }
    const needed = batch.filter(({ block }) => local.has(block))
    if (needed.length === 0) continue
    const isPartly = (head: BlockHead): boolean =>
      head.oldest_at <= createdAfter || head.newest_at >= createdBefore
    const needsSources =
      listener.needsSources || sources.isExact || [...local.values()].some((it) => it.includes(IF_SOURCE))
    const none = new Map<number, Uint8Array>()
    const [kinds, states, origins, times, numbers] = [
      await columnOf(query, 'kinds', needed),
      await columnOf(query, 'states', needed),
      needsSources ? await columnOf(query, 'sources', needed) : none,
      listener.needsTimes || needed.some(isPartly) ? await columnOf(query, 'times', needed) : none,
      await columnOf(query, 'numbers', needed),
    ]
    for (const head of needed) {
      // The one before may have shown that this one is too far away.
      if (!listener.wants(head)) continue
      const { block } = head
      const columns = {
        kinds: asU16(cell(kinds, block)),
        states: cell(states, block),
        sources: asU32(cell(origins, block)),
        times: asF64(cell(times, block)),
      }
      const count = matchesOf(columns, local.get(block) ?? verdicts, stateMask, state, sources, places)
      const kept = isPartly(head) ? within(places, count, columns.times, createdAfter, createdBefore) : count
      if (kept > 0)
        listener.block({ head, places, count: kept, numbers: asU32(cell(numbers, block)), ...columns })
    }
  }
}

const NOTHING = new Uint8Array()
const cell = (cells: ReadonlyMap<number, Uint8Array>, block: number): Uint8Array =>
  cells.get(block) ?? NOTHING

function columnOf(
  query: Query,
  column: Parameters<typeof cellsOf>[1],
  batch: readonly BlockHead[],
): Promise<Map<number, Uint8Array>> {
  const numbers = batch.map(({ block }) => block)
  return cellsOf(query, column, Math.min(...numbers), Math.max(...numbers))
}

/** The verdict on each kind of a block; undefined when none of its incidents can match. */
function localVerdicts(list: Uint32Array, verdicts: Uint8Array, canContain: boolean): Uint8Array | undefined {
  const local = new Uint8Array(list.length)
  let any = 0
  for (let at = 0; at < list.length; at++) {
    const verdict = verdicts[list[at] as number] ?? 0
    if (verdict === IF_SOURCE && !canContain) continue
    local[at] = verdict
    any |= verdict
  }
  return any === 0 ? undefined : local
}

interface SourceTests {
  /** Whether any source can contain the text at all. */
  readonly canContain: boolean
  contains(value: number, isListed: boolean): boolean
  /** Whether only one source is meant. */
  readonly isExact: boolean
  isMeant(value: number, isListed: boolean): boolean
}

/** Undefined when no indexed incident has the source that is meant. */
async function sourceTests(
  query: Query,
  engine: EngineName,
  { text, srcHost }: IncidentFilter,
): Promise<SourceTests | undefined> {
  const ipv4 = text === undefined ? undefined : ipv4Containing(text)
  const listed = text === undefined ? new Set<number>() : await sourcesContaining(query, engine, text)
  const address = srcHost === undefined ? undefined : ipv4Value(srcHost)
  const id = srcHost === undefined || address !== undefined ? undefined : await sourceId(query, srcHost)
  if (srcHost !== undefined && address === undefined && id === undefined) return undefined
  return {
    canContain: ipv4 !== undefined || listed.size > 0,
    contains: (value, isListed) => (isListed ? listed.has(value) : ipv4 !== undefined && ipv4(value)),
    isExact: srcHost !== undefined,
    isMeant: (value, isListed) => value === (isListed ? id : address),
  }
}

interface Columns {
  readonly kinds: Uint16Array
  readonly states: Uint8Array
  readonly sources: Uint32Array
}

/** The heart of it: some nanoseconds an incident. */
function matchesOf(
  { kinds, states, sources }: Columns,
  local: Uint8Array,
  stateMask: number,
  state: number,
  tests: SourceTests,
  places: Uint16Array,
): number {
  let count = 0
  for (let at = 0; at < kinds.length; at++) {
    const verdict = local[kinds[at] as number] as number
    if (verdict === 0) continue
    const is = states[at] as number
    if ((is & stateMask) !== state) continue
    if (tests.isExact && !tests.isMeant(sources[at] as number, (is & LISTED) !== 0)) continue
    if (verdict !== YES && !tests.contains(sources[at] as number, (is & LISTED) !== 0)) continue
    places[count++] = at
  }
  return count
}

/** Keeps the places whose time lies between, in place; answers how many. */
function within(
  places: Uint16Array,
  count: number,
  times: Float64Array,
  after: number,
  before: number,
): number {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const place = places[at] as number
    const time = times[place] as number
    if (time > after && time < before) places[kept++] = place
  }
  return kept
}
