// The fetch form of an incident (specification 2.3): texts all through, with every other field on demand.
import type { Asset } from '@rookery/contract/records/asset.ts'
import type { FetchedIncident } from '@rookery/contract/records/incident.ts'
import { epochText, httpDate, localTime, std } from '@rookery/kernel/time.ts'
import type { StoredEvent } from '../../stores/incidents/one.store.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import { matchedAnnotations } from '../../stores/incidents/annotations.ts'
import { acknowledgement } from './acknowledgement.ts'
import type { StoredComment } from '../../stores/comments/store.ts'
import { commentView } from './comments.ts'
import { eventsJson } from './events.ts'
import { searchedIncident, type SearchFacts } from './search.ts'

const truth = (value: number): string => (value === 1 ? 'True' : 'False')

/** The object `incident` of `incident/fetch`. */
export function fetchedIncident(
  row: IncidentRow,
  events: readonly StoredEvent[],
  tz: string,
  asset: Asset | undefined,
): FetchedIncident {
  return {
    acknowledged: truth(row.acknowledged),
    ...acknowledgement(row),
    created: epochText(row.created_at),
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

interface ExtendedFacts extends SearchFacts {
  readonly tz: string
  readonly flockName: string
  readonly comments: readonly StoredComment[]
}

/** With `extended_details`: every field of the listing and search forms besides; where two differ, the fetch form's. */
export function extendedIncident(
  row: IncidentRow,
  events: readonly StoredEvent[],
  { tz, flockName, comments, ...facts }: ExtendedFacts,
): FetchedIncident {
  return {
    ...searchedIncident(row, events, facts),
    comments: comments.map(commentView),
    flock_name: flockName,
    matched_annotations: matchedAnnotations(row.annotations),
    summary: row.summary,
    updated: httpDate(row.updated_at),
    updated_std: std(row.updated_at, tz),
    ...fetchedIncident(row, events, tz, facts.asset),
  }
}
