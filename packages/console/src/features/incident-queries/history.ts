// The history of a source: the newest incidents first in pages, the oldest first within a page.
import type { incidentQueries } from '@rookery/contract/groups/incident-queries.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks } from '../../http/cursor-links.ts'
import { canonicalAddress } from '../../addresses/ip-list.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import { incidentsById } from '../../stores/incidents/one.store.ts'
import {
  sourceHistory,
  type HistoryFilter,
  type HistoryPosition,
} from '../../stores/incidents/sources.store.ts'

type HistoryParams = Params<(typeof incidentQueries)['sourceHistory']>

interface HistoryRequest {
  readonly filter: HistoryFilter
  readonly before?: HistoryPosition
}

const PATH = '/incidents/history/source'
const PAGE_ROWS = 1_000

export const history =
  ({ engine, reader, vault }: Pick<AppContext, 'engine' | 'reader' | 'vault'>) =>
  async (params: HistoryParams, call: Call) => {
    const request: HistoryRequest =
      params.cursor === undefined
        ? { filter: filterOf(params) }
        : (readCursor(vault, PATH, params.cursor) as HistoryRequest)
    const { filter, before } = request
    const found = await sourceHistory(engine, call.caller.scope, filter, {
      ...(before && { before }),
      limit: PAGE_ROWS + 1,
    })
    const page = found.slice(0, PAGE_ROWS)
    const last = found.length > PAGE_ROWS ? page.at(-1) : undefined
    const next = last ? signCursor(vault, PATH, { filter, before: last } satisfies HistoryRequest) : null
    const whole = await incidentsById(
      reader,
      engine.name,
      page.map(({ incident_id }) => incident_id),
    )
    return {
      cursor: cursorLinks({ next, prev: null }, PATH, call),
      incidents: page
        .toReversed()
        .flatMap(({ incident_id }) => whole.get(incident_id) ?? [])
        .map((row) => ({
          created: epoch(row.created_at),
          deleted: row.deleted_at !== null,
          description: row.summary,
          dst_port: row.dst_port,
          flock_id: row.flock_id,
          key: row.incident_key,
          node_id: row.node_id,
          src_host: row.src_host,
        })),
    }
  }

/** An address in the one spelling in which sources are stored; any other text is a `bad-input`. */
const filterOf = ({ src_ip, flock_id }: HistoryParams): HistoryFilter => ({
  ...(src_ip !== undefined && { srcHost: canonicalAddress(src_ip, 'src_ip') }),
  ...(flock_id !== undefined && { flockId: flock_id }),
})
