// The listing form of an incident (specification 2.2), as JSON text: lists are long, and most of it is stored text.
import { epochText, httpDate, localTime, std } from '@rookery/kernel/time.ts'
import type { AssetIndex } from '../../flows/assets/asset-index.ts'
import type { StoredEvent } from '../../stores/incidents/one.store.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import { matchedAnnotations } from '../../stores/incidents/annotations.ts'
import { acknowledgement } from './acknowledgement.ts'
import { eventsJson, newestOf } from './events.ts'

export interface ListingOptions {
  /** The assets that sources are looked up in. */
  readonly assets: Pick<AssetIndex, 'at'>
  readonly tz: string
  readonly shrink: boolean
  /** The newest events that are shown; counts those that `shrink` left. */
  readonly eventLimit?: number | undefined
  readonly flockNames: ReadonlyMap<string, string>
}

const truth = (value: number): string => (value === 1 ? 'True' : 'False')

/** One element of `incidents`. */
export function listingJson(
  row: IncidentRow,
  events: readonly StoredEvent[],
  options: ListingOptions,
): string {
  const { assets, tz, shrink, eventLimit, flockNames } = options
  const asset = assets.at(row.src_host)
  const isToken = row.memo !== null
  const description = JSON.stringify({
    acknowledged: truth(row.acknowledged),
    ...acknowledgement(row),
    created: epochText(row.created_at),
    created_std: std(row.created_at, tz),
    description: row.summary,
    dst_host: row.dst_host,
    dst_port: String(row.dst_port),
    events_count: String(row.events_count),
    events_list: newestOf(events, eventLimit)
      .map(({ at }) => epochText(at))
      .join(','),
    flock_id: row.flock_id,
    flock_name: flockNames.get(row.flock_id) ?? '',
    ip_address: row.ip_address,
    ippers: row.ippers,
    local_time: localTime(row.created_at) + (isToken ? ' (UTC)' : ''),
    logtype: row.logtype,
    mac_address: row.mac_address,
    matched_annotations: matchedAnnotations(row.annotations),
    ...(isToken && { memo: row.memo }),
    name: row.name,
    node_id: row.node_id,
    notified: truth(row.notified),
    ...(asset && { src_asset: asset }),
    src_host: row.src_host,
    src_host_reverse: isToken ? '' : row.src_host_reverse,
    src_port: String(row.src_port),
  })
  const outer = JSON.stringify({
    ...(row.deleted_at !== null && { deleted: true }),
    hash_id: row.hash_id,
    id: row.incident_key,
    summary: row.summary,
    updated: httpDate(row.updated_at),
    updated_id: row.updated_id,
    updated_std: std(row.updated_at, tz),
    updated_time: epochText(row.updated_at),
  })
  return `{"description":${description.slice(0, -1)},"events":${eventsJson(events, tz, shrink, eventLimit)}},${outer.slice(1)}`
}
