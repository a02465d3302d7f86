// Rows of a list: at most 1 KB each, whatever the incident holds.
import type { IncidentRow } from '@rookery/contract/groups/incident-views.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Scope } from '../../db/query.ts'
import type { Assets } from '../../flows/assets/assets.ts'
import { logtypeOf } from '../../logtypes.ts'
import { flockNames } from '../../stores/flocks/store.ts'
import type { PageRow } from '../../stores/incidents/list.store.ts'
import { eventsOf, incidentsById } from '../../stores/incidents/one.store.ts'
import type { PreviouslySeen } from '../../stores/incidents/sources.store.ts'

export type RenderRows = (page: readonly PageRow[], scope: Scope) => Promise<IncidentRow[]>

const MAX_EVIDENCE = 3
/** Of a text that people or intruders wrote; where a row becomes too long, each of its texts is cut to the next length. */
const CHARACTERS = [120, 60, 30, 15, 7]
const ROW_BYTES = 1_000

interface RenderDeps extends Pick<AppContext, 'engine' | 'reader' | 'config'> {
  readonly assets: Pick<Assets, 'index'>
  readonly previouslySeen: PreviouslySeen
}

export function openRenderRows({ engine, reader, config, assets, previouslySeen }: RenderDeps): RenderRows {
  return async (page) => {
    const ids = page.map(({ incident_id }) => incident_id)
    const [whole, events, flocks, index] = await Promise.all([
      incidentsById(reader, engine.name, ids),
      eventsOf(reader, engine.name, ids, 1),
      config.get('flock names', flockNames),
      assets.index(),
    ])
    const seen = await previouslySeen.of([...whole.values()])
    return ids.flatMap((id) => {
      const row = whole.get(id)
      if (!row) return []
      const { level = 'house', evidence = [] } = logtypeOf(row.logtype)
      const asset = index.at(row.src_host)
      const fields = fieldsOf(events.get(id)?.at(-1)?.body)
      return fitting((most) => ({
        key: row.incident_key,
        hash_id: row.hash_id,
        level,
        logtype: row.logtype,
        summary: row.summary,
        evidence: evidenceOf(fields, evidence, most),
        node_id: row.node_id,
        is_token: row.memo !== null,
        place: cut(row.memo ?? row.name, most),
        flock_id: row.flock_id,
        flock_name: cut(flocks.get(row.flock_id) ?? '', most),
        src_host: row.src_host,
        src_name: cut(asset?.names[0] ?? row.src_host_reverse, most),
        seen_before: seen.get(id) ?? 0,
        dst_port: row.dst_port,
        events_count: row.events_count,
        first: epoch(row.created_at),
        last: epoch(row.last_at ?? row.updated_at),
        acknowledged: row.acknowledged === 1,
        updated_id: row.updated_id,
      }))
    })
  }
}

/** The row with its texts as long as they may be. */
function fitting(rowWith: (most: number) => IncidentRow): IncidentRow {
  for (const most of CHARACTERS) {
    const row = rowWith(most)
    if (Buffer.byteLength(JSON.stringify(row)) <= ROW_BYTES) return row
  }
  return rowWith(0)
}

export const fieldsOf = (body: string | undefined): Record<string, unknown> =>
  body === undefined ? {} : (JSON.parse(body) as Record<string, unknown>)

export function evidenceOf(
  fields: Record<string, unknown>,
  keys: readonly string[],
  most: number,
): IncidentRow['evidence'] {
  return keys
    .flatMap((name) => {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (value === undefined || value === null || value === '') return []
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return { name, value: cut(text, most) }
    })
    .slice(0, MAX_EVIDENCE)
}

/** Never through the middle of a character. */
const cut = (text: string, most: number): string =>
  text.length <= most
    ? text
    : most === 0
      ? ''
      : `${text
          .slice(0, most - 1)
          .toWellFormed()
          .replace(/\uFFFD$/, '')}…`
