// The fetch form of an incident (specification 2.3): texts all through, with every other field on demand.
import type { Asset } from '@rookery/contract/records/asset.ts'
import type { FetchedIncident } from '@rookery/contract/records/incident.ts'
import { age, epoch, localTime, printable, std } from '@rookery/kernel/time.ts'
import type { KeptEvent } from '../stores/incidents/events.store.ts'
import type { IncidentRow } from '../stores/incidents/filter.store.ts'
import { matchedAnnotations } from './annotations.ts'
import { eventsJson } from './events.ts'

const truth = (value: number): string => (value === 1 ? 'True' : 'False')

/** The object `incident` of `incident/fetch`. */
export function fetchedIncident(
  row: IncidentRow,
  events: readonly KeptEvent[],
  tz: string,
  asset: Asset | undefined,
): FetchedIncident {
  return {
    acknowledged: truth(row.acknowledged),
    created: String(epoch(row.created_at)),
    created_std: std(row.created_at, tz),
    description: row.summary,
    dst_host: row.dst_host,
    dst_port: String(row.dst_port),
    events: JSON.parse(eventsJson(events, tz, false)) as FetchedIncident['events'],
    events_count: String(row.events_count),
    id: row.incident_key,
    ip_address: row.ip_address,
    ippers: row.ippers,
    local_time: localTime(row.created_at) + (row.memo === null ? '' : ' (UTC)'),
    logtype: row.logtype,
    mac_address: row.mac_address,
    node_id: row.node_id,
    notified: truth(row.notified),
    ...(asset && { src_asset: asset }),
    src_host: row.src_host,
    src_host_reverse: row.memo === null ? row.src_host_reverse : '',
    src_port: String(row.src_port),
  }
}

/** What `extended_details` adds: the fields of the listing and search forms that the fetch form lacks. */
export function extendedDetails(
  row: IncidentRow,
  tz: string,
  now: number,
  flockName: string,
): Partial<FetchedIncident> {
  return {
    created_age: age(now - row.created_at),
    created_printable: printable(row.created_at),
    flock_id: row.flock_id,
    flock_name: flockName,
    hash_id: row.hash_id,
    incident_key: row.incident_key,
    key: row.incident_key,
    matched_annotations: matchedAnnotations(row.annotations),
    ...(row.memo !== null && { memo: row.memo }),
    name: row.name,
    summary: row.summary,
    updated_id: row.updated_id,
    updated_printable: printable(row.updated_at),
    updated_std: std(row.updated_at, tz),
    updated_time: String(epoch(row.updated_at)),
    updated_time_age: age(now - row.updated_at),
  }
}
