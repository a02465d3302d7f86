// One pass over the search index, column by column, and over the incidents that are not in it yet (decision 0012).
import type { EngineName, Query } from '../../db/query.ts'
import { asSources, type BlockHead, type Sources } from '../../stores/incidents/block.ts'
import { blockHeads } from '../../stores/incidents/index.store.ts'
import { unindexed } from '../../stores/incidents/unindexed.store.ts'
import { openColumns, picked, type Columns, type RowColumn, type Rows } from './columns.ts'
import { within } from './match.ts'
import { mayMatch, questionOf, type Question } from './question.ts'
import type { FindRequest } from './request.ts'
import { blocksOf, readFirst, sift, type Matched } from './sift.ts'

/** Who hears of the matches; times and sources are read only for those who ask. */
export interface Listener {
  /** Whether every match matters. */
  readonly wantsAll: boolean
  /** Whether anything of this block could matter. */
  wants(head: BlockHead): boolean
  /** Whether numbers and times of its matches matter, too. */
  wantsRows(head: BlockHead): boolean
  readonly needsSources: boolean
  block(matches: Matches): void
  row(row: { readonly incident_id: number; readonly created_at: number; readonly src_host: string }): void
}

/** What the matches of a block have, one after the other; empty unless wanted. */
export interface Matches {
  readonly head: BlockHead
  readonly count: number
  readonly numbers: Uint32Array
  readonly times: Float64Array
  readonly sources: Sources
  readonly origins: Uint16Array
}

export interface Scanning {
  readonly query: Query
  readonly engine: EngineName
  /** Called between portions; throws when the search has taken too long. */
  readonly goOn: () => void
  readonly rising: boolean
}

export async function scan(scanning: Scanning, request: FindRequest, listener: Listener): Promise<void> {
  const { query, engine, rising, goOn } = scanning
  const { scope, filter } = request
  const [heads, question] = await Promise.all([blockHeads(query), questionOf(query, engine, scope, filter)])
  const behind = heads.at(-1)?.last_id ?? 0
  const tail = async (): Promise<void> => {
    for await (const rows of unindexed(scanning, scope, filter, behind)) {
      for (const row of rows) listener.row(row)
      goOn()
    }
  }
  if (!rising) await tail()
  if (question) await blocks(scanning, question, listener, rising ? heads : heads.reverse())
  if (rising) await tail()
}

async function blocks(
  { query, engine, goOn }: Scanning,
  question: Question,
  listener: Listener,
  heads: readonly BlockHead[],
): Promise<void> {
  const begin = (portion: readonly BlockHead[]): Portion => {
    const columns = openColumns(query, engine)
    const wanted = portion.filter((head) => mayMatch(head, question) && listener.wants(head))
    const begun = readFirst(question, columns, wanted)
    // Whoever waits for it hears of a failure; if nobody does, another one was first.
    begun.catch(() => undefined)
    return { columns, wanted, begun }
  }

  const portions = portionsOf(heads)
  let ahead: Portion | undefined
  for (const [at, portion] of portions.entries()) {
    goOn()
    const { columns, wanted, begun } = ahead ?? begin(portion)
    const following = portions[at + 1]
    // A server reads on while we look at what it has sent.
    ahead = following && listener.wantsAll ? begin(following) : undefined
    await begun
    await tell(question, columns, await sift(question, columns, wanted), listener)
  }
}

interface Portion {
  readonly columns: Columns
  readonly wanted: readonly BlockHead[]
  readonly begun: Promise<void>
}

/** Blocks that are looked at together: few at first, for a page is often full by then. */
const FIRST_PORTION = 4
const GROWTH = 8
const LARGEST_PORTION = 96

function portionsOf(heads: readonly BlockHead[]): (readonly BlockHead[])[] {
  const portions: (readonly BlockHead[])[] = []
  let size = FIRST_PORTION
  for (let first = 0; first < heads.length;) {
    portions.push(heads.slice(first, (first += size)))
    size = Math.min(LARGEST_PORTION, GROWTH * size)
  }
  return portions
}

/** Reads what the listener asks of blocks with matches, and tells it. */
async function tell(
  { after, before }: Question,
  columns: Columns,
  matched: readonly Matched[],
  listener: Listener,
): Promise<void> {
  const isPartly = ({ oldest_at, newest_at }: BlockHead): boolean => oldest_at <= after || newest_at >= before
  const shown = matched.filter(({ head }) => listener.wantsRows(head))
  const timed = matched.filter((it) => isPartly(it.head) || shown.includes(it))
  const counted = listener.needsSources ? matched : []
  await Promise.all([
    columns.read(['sources', blocksOf(counted)]),
    columns.readRows(['numbers', rowsOf(shown)], ['times', rowsOf(timed)], ['origins', rowsOf(counted)]),
  ])
  for (const { head, places } of matched) {
    // The one before may have shown that this one is too far away.
    if (!listener.wants(head)) continue
    const { block } = head
    const timesOfAll = columns.ofRows('times', { block, places })
    const kept = isPartly(head) ? within(timesOfAll, after, before) : undefined
    const ofKept = <C extends RowColumn>(column: C) => {
      const all = columns.ofRows(column, { block, places })
      return kept && all.length > 0 ? picked(all, kept) : all
    }
    listener.block({
      head,
      count: kept?.length ?? places.length,
      numbers: ofKept('numbers'),
      times: ofKept('times'),
      origins: ofKept('origins'),
      sources: asSources(columns.cell('sources', block)),
    })
  }
}

const rowsOf = (some: readonly Matched[]): Rows[] =>
  some.map(({ head, places }) => ({ block: head.block, places }))
