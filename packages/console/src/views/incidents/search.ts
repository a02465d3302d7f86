// The search form of an incident (specification 2.4).
import type { Asset } from '@rookery/contract/records/asset.ts'
import type { FoundIncident } from '@rookery/contract/records/incident.ts'
import { age, epochText, localTime, printable } from '@rookery/kernel/time.ts'
import type { StoredEvent } from '../../stores/incidents/one.store.ts'
import type { IncidentRow } from '../../stores/incidents/filter.store.ts'
import { acknowledgement } from './acknowledgement.ts'

export interface SearchFacts {
  readonly now: number
  /** The Bird's record (2.5); an empty object for a token. */
  readonly host: FoundIncident['host']
  /** The asset of the source. */
  readonly asset: Asset | undefined
  /** Earlier incidents of the same source. */
  readonly previouslySeen: number
  /** The channel of a chat service that has its alert; empty for none. */
  readonly chatChannel: string
}

const truth = (value: number): string => (value === 1 ? 'True' : 'False')

/** One element of `incidents` of a search. */
export function searchedIncident(
  row: IncidentRow,
  events: readonly StoredEvent[],
  { now, host, asset, previouslySeen, chatChannel }: SearchFacts,
): FoundIncident {
  return {
    acknowledged: truth(row.acknowledged),
    ...acknowledgement(row),
    chat_channel: chatChannel,
    // An incoming webhook, the only way in which chats are reached, answers no timestamp of the message.
    chat_ts: '',
    created: epochText(row.created_at),
    created_age: age(now - row.created_at),
    created_age_seconds: (now - row.created_at) / 1000,
    created_printable: printable(row.created_at),
    description: row.summary,
    dst_host: row.dst_host,
    dst_port: String(row.dst_port),
    events_count: String(row.events_count),
    events_list: events.map(({ at }) => at),
    events_list_printable: events.map(({ at }) => printable(at)).join(', '),
    flock_id: row.flock_id,
    hash_id: row.hash_id,
    host,
    incident_key: row.incident_key,
    ip_address: row.ip_address,
    ippers: row.ippers,
    key: row.incident_key,
    local_time: localTime(row.created_at) + (row.memo === null ? '' : ' (UTC)'),
    logdata: events.map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    logtype: row.logtype,
    mac_address: row.mac_address,
    ...(row.memo !== null && { memo: row.memo }),
    name: row.name,
    node_id: row.node_id,
    notified: truth(row.notified),
    previously_seen_count: previouslySeen,
    sensor: typeof host['sensor'] === 'string' ? host['sensor'] : '',
    ...(asset && { src_asset: asset }),
    src_host: row.src_host,
    src_host_reverse: row.memo === null ? row.src_host_reverse : '',
    src_port: String(row.src_port),
    updated: 'True',
    updated_id: row.updated_id,
    updated_time: epochText(row.updated_at),
    updated_time_age: age(now - row.updated_at),
    updated_time_age_seconds: (now - row.updated_at) / 1000,
    updated_time_printable: printable(row.updated_at),
  }
}
