// `incidents/export`: what a filter matches, as a file for spreadsheets; texts in full, and none of them a formula.
import type { incidentViews } from '@rookery/contract/groups/incident-views.ts'
import { FileStream } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { csvRow } from '@rookery/kernel/csv/write.ts'
import { std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { logtypeOf } from '../../logtypes.ts'
import { existingFlock, flockNames } from '../../stores/flocks/store.ts'
import { eventsOf, incidentsById } from '../../stores/incidents/one.store.ts'
import { searchIds } from '../../stores/incidents/search.store.ts'
import { evidenceOf, fieldsOf } from './render-rows.ts'
import { filterOf } from './rows.ts'

type ExportDeps = Pick<AppContext, 'engine' | 'reader' | 'config'>

/** The newest. A file of more rows is slow in a spreadsheet, and `older_than` asks for what is left out. */
const MAX_ROWS = 100_000
const ROWS_AT_ONCE = 500

const COLUMNS = (
  'incident,first,last,level,logtype,summary,evidence,node_id,place,' +
  'flock_id,flock_name,src_host,src_host_reverse,dst_port,events_count,acknowledged,acknowledged_by'
).split(',')

export async function exportIncidents(
  deps: ExportDeps,
  params: Params<(typeof incidentViews)['export']>,
  { caller: { scope } }: Call,
  mostRows = MAX_ROWS,
): Promise<FileStream> {
  const filter = filterOf(params)
  if (filter.flockId !== undefined) await existingFlock(deps.reader, scope, filter.flockId)
  const ids = (await searchIds(deps.engine, { scope, filter })).slice(-mostRows).reverse()
  return new FileStream('incidents.csv', 'text/csv; charset=utf-8', asCsv(deps, ids))
}

async function* asCsv({ engine, reader, config }: ExportDeps, ids: Float64Array): AsyncGenerator<string> {
  yield csvRow(COLUMNS)
  const flocks = await config.get('flock names', flockNames)
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const some = [...ids.subarray(from, from + ROWS_AT_ONCE)]
    const [rows, events] = await Promise.all([
      incidentsById(reader, engine.name, some),
      eventsOf(reader, engine.name, some, 1),
    ])
    let text = ''
    for (const id of some) {
      const row = rows.get(id)
      // Deleted while the file was written.
      if (!row || row.deleted_at !== null) continue
      const { level = 'house', evidence = [] } = logtypeOf(row.logtype)
      const found = evidenceOf(fieldsOf(events.get(id)?.at(-1)?.body), evidence, Number.POSITIVE_INFINITY)
      text += csvRow([
        row.incident_key,
        std(row.created_at),
        std(row.last_at ?? row.updated_at),
        level,
        row.logtype,
        row.summary,
        found.map(({ name, value }) => `${name}: ${value}`).join('; '),
        row.node_id,
        row.memo ?? row.name,
        row.flock_id,
        flocks.get(row.flock_id) ?? '',
        row.src_host,
        row.src_host_reverse,
        row.dst_port,
        row.events_count,
        row.acknowledged === 1,
        row.acknowledged_name ?? '',
      ])
    }
    yield text
  }
}
