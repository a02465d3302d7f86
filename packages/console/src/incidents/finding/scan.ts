// One pass over the search index, column by column, and over the incidents that are not in it yet (decision 0012).
import type { EngineName, Query } from '../../db/query.ts'
import {
  ACKNOWLEDGED,
  asF64,
  asU16,
  asU32,
  DELETED,
  type BlockHead,
  type Column,
} from '../../stores/incidents/block.ts'
import { blockHeads, cellsOf, IF_SOURCE, kindVerdicts, NO, YES } from '../../stores/incidents/index.store.ts'
import { unindexed } from '../../stores/incidents/unindexed.store.ts'
import {
  isBySource,
  localVerdicts,
  matchesOf,
  sourceTests,
  UNMARKED,
  within,
  type Verdicts,
} from './match.ts'
import type { FindRequest } from './request.ts'

/** Who hears of the matches; times and sources are read only for those who ask. */
export interface Listener {
  /** Whether anything of this block could matter. */
  wants(head: Pick<BlockHead, 'oldest_at' | 'newest_at'>): boolean
  /** Whether numbers and times of its matches matter, too. */
  wantsRows(head: Pick<BlockHead, 'oldest_at' | 'newest_at'>): boolean
  readonly needsSources: boolean
  block(matches: Matches): void
  row(row: { readonly incident_id: number; readonly created_at: number; readonly src_host: string }): void
}

/** The first `count` places of `places` are those that match. */
export interface Matches {
  readonly head: BlockHead
  readonly places: Uint16Array
  readonly count: number
  /** Empty unless wanted. */
  readonly numbers: Uint32Array
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
  const least = sources.canContain ? IF_SOURCE : YES
  if (!verdicts.some((verdict) => verdict >= least)) return
  // Kinds are numbered from 1. Where all are judged alike, nobody needs to know which is which.
  const [, judged] = verdicts
  const one =
    verdicts.indexOf(NO, 1) < 0 && verdicts.subarray(1).every((it) => it === judged) ? judged : undefined
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
    const lists =
      one === undefined ? await columnOf(query, engine, 'list', batch) : new Map<number, Uint8Array>()
    const local = new Map<number, Verdicts>()
    for (const { block } of batch) {
      const found = one ?? localVerdicts(asU32(cell(lists, block)), verdicts, sources.canContain)
      if (found) local.set(block, found)
    }
    const possible = batch.filter(({ block }) => local.has(block))
    const isPartly = (head: BlockHead): boolean =>
      head.oldest_at <= createdAfter || head.newest_at >= createdBefore
    const none = new Map<number, Uint8Array>()
    const testsSources =
      sources.isExact ||
      [...local.values()].some((it) => (typeof it === 'number' ? it === IF_SOURCE : it.includes(IF_SOURCE)))
    const tested = testsSources ? await columnOf(query, engine, 'sources', possible) : none
    const marks = new Map(
      testsSources ? possible.map(({ block }) => [block, sources.marks(asU32(cell(tested, block)))]) : [],
    )
    const needed = possible.filter(
      ({ block }) => marks.get(block) ?? !(sources.isExact || isBySource(local.get(block) ?? NO)),
    )
    if (needed.length === 0) continue
    const kinds = one === undefined ? await columnOf(query, engine, 'kinds', needed) : none
    const states = await columnOf(query, engine, 'states', needed)
    // What tells of matches is read for the blocks that have any.
    const matched: { head: BlockHead; places: Uint16Array }[] = []
    for (const head of needed) {
      const { block } = head
      const columns = {
        kinds: asU16(cell(kinds, block)),
        states: cell(states, block),
        sources: asU32(cell(tested, block)),
        marks: marks.get(block) ?? UNMARKED,
      }
      const count = matchesOf(columns, local.get(block) ?? NO, stateMask, state, sources, places)
      if (count > 0) matched.push({ head, places: places.slice(0, count) })
    }
    const hit = matched.map(({ head }) => head)
    const shown = hit.filter(listener.wantsRows)
    const numbers = await columnOf(query, engine, 'numbers', shown)
    const times = await columnOf(
      query,
      engine,
      'times',
      hit.filter((head) => isPartly(head) || shown.includes(head)),
    )
    const origins =
      testsSources || !listener.needsSources ? tested : await columnOf(query, engine, 'sources', hit)
    for (const { head, places: found } of matched) {
      // The one before may have shown that this one is too far away.
      if (!listener.wants(head)) continue
      const { block } = head
      const at = asF64(cell(times, block))
      const count = isPartly(head)
        ? within(found, found.length, at, createdAfter, createdBefore)
        : found.length
      if (count === 0) continue
      listener.block({
        head,
        places: found,
        count,
        numbers: asU32(cell(numbers, block)),
        states: cell(states, block),
        sources: asU32(cell(origins, block)),
        times: at,
      })
    }
  }
}

const NOTHING = new Uint8Array()
const cell = (cells: ReadonlyMap<number, Uint8Array>, block: number): Uint8Array =>
  cells.get(block) ?? NOTHING

function columnOf(
  query: Query,
  engine: EngineName,
  column: Column,
  batch: readonly BlockHead[],
): Promise<Map<number, Uint8Array>> {
  if (batch.length === 0) return Promise.resolve(new Map())
  const numbers = batch.map(({ block }) => block)
  return cellsOf(query, engine, column, Math.min(...numbers), Math.max(...numbers))
}
