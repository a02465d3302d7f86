// A search on one snapshot: the page, the totals, the numbers, whatever was asked for, in one pass.
import type { EngineName, Query } from '../../db/query.ts'
import { sourceTexts } from '../../stores/incidents/index.store.ts'
import { positionsOf, type Position } from '../../stores/incidents/page.store.ts'
import { openNearest, type Nearest } from './nearest.ts'
import type { Found, FindRequest } from './request.ts'
import { scan, type Listener } from './scan.ts'
import { openTally, type Tally } from './tally.ts'

export interface Finding {
  readonly query: Query
  readonly engine: EngineName
  readonly goOn: () => void
}

export async function find(finding: Finding, request: FindRequest): Promise<Found> {
  const { page } = request
  const nearest =
    page && openNearest({ at: page.from?.created_at, backward: page.backward ?? false, limit: page.limit })
  const tally = request.totals ? openTally() : undefined
  const numbers: number[] = []
  const rising = request.numbers === true || page?.backward === true
  const listener = listening(nearest, tally, request.numbers ? numbers : undefined)
  await scan({ ...finding, rising }, listener.wantsAll ? request : beyondItsBeginning(request), listener)
  return {
    page: nearest && page ? await pageOf(finding, nearest, page) : [],
    totals: tally && {
      bySource: await tally.largest((ids) => sourceTexts(finding.query, finding.engine, ids)),
      total: tally.total(),
    },
    numbers: Float64Array.from(numbers),
  }
}

/** The same request without what lies before its page: nobody asks for that. */
function beyondItsBeginning(request: FindRequest): FindRequest {
  const { page: { from, backward } = {}, filter } = request
  if (!from) return request
  const { createdAfter = -Infinity, createdBefore = Infinity } = filter
  const narrower = backward
    ? { createdAfter: Math.max(createdAfter, from.created_at - 1) }
    : { createdBefore: Math.min(createdBefore, from.created_at + 1) }
  return { ...request, filter: { ...filter, ...narrower } }
}

function listening(
  nearest: Nearest | undefined,
  tally: Tally | undefined,
  numbers: number[] | undefined,
): Listener {
  const wantsAll = tally !== undefined || numbers !== undefined
  return {
    wantsAll,
    wants: ({ oldest_at, newest_at }) => wantsAll || nearest?.wants(oldest_at, newest_at) === true,
    wantsRows: ({ oldest_at, newest_at }) =>
      numbers !== undefined || nearest?.wants(oldest_at, newest_at) === true,
    needsSources: tally !== undefined,
    block({ head, count, numbers: column, times, sources, origins }) {
      tally?.addBlock(sources, origins)
      if (nearest?.wants(head.oldest_at, head.newest_at)) {
        for (let at = 0; at < count; at++)
          nearest.add(times[at] as number, head.first_id + (column[at] as number))
      }
      // Rows of a block stand by kind.
      if (numbers) for (const number of column.toSorted()) numbers.push(head.first_id + number)
    },
    row({ incident_id, created_at, src_host }) {
      tally?.addText(src_host)
      nearest?.add(created_at, incident_id)
      numbers?.push(incident_id)
    },
  }
}

async function pageOf(
  { query, engine }: Finding,
  nearest: Nearest,
  { from, backward = false, limit }: NonNullable<FindRequest['page']>,
): Promise<Found['page']> {
  const { near, beside } = nearest.done()
  const sign = backward ? 1 : -1
  const beyond = (a: Position, b: Position): number =>
    sign * (a.created_at - b.created_at || a.incident_id - b.incident_id)
  const rows = await positionsOf(query, engine, [...beside, ...near])
  const ordered = rows
    .filter((row) => !from || beyond(row, from) > 0)
    .sort(beyond)
    .slice(0, limit)
  return backward ? ordered.reverse() : ordered
}
