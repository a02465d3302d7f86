// The row of a new incident, and its notice for those who are to know.
import { incidentKey } from '@rookery/kernel/ids.ts'
import type { IncidentNotice } from '../../notify/queue/outbox.ts'
import type { IncidentNames } from '../../secrets/incident-name.ts'
import { MANY_SOURCES } from '../../stores/incidents/aggregation.ts'
import type { Arrival } from './arrival.ts'
import type { NewIncident } from './plan.ts'

export interface Begun {
  readonly at: number
  readonly updatedId: number
  readonly aggregationKey: string
  /** The touch's own, or that of incidents of many sources. */
  readonly srcHost: string
}

/** A row whose columns are counted up before it is written. */
export type Mutable<Row> = { -readonly [Column in keyof Row]: Row[Column] }

/** Without events: its first touch counts itself. */
export function newIncident(
  { touch, logtype, subject, annotations, late, receivedAt, sharedAlert }: Arrival,
  names: IncidentNames,
  { at, updatedId, aggregationKey, srcHost }: Begun,
): { readonly row: Mutable<NewIncident>; readonly notice: IncidentNotice } {
  const { hashId, keyPart } = names.of(updatedId)
  const row: Mutable<NewIncident> = {
    // The number of its first change is the incident's own: unique and rising without a second counter.
    incident_id: updatedId,
    incident_key: incidentKey(logtype.slug, keyPart, srcHost, at),
    hash_id: hashId,
    logtype: logtype.logtype,
    summary: logtype.summary,
    node_id: touch.nodeId,
    flock_id: subject.flockId,
    name: subject.name,
    memo: subject.memo,
    src_host: srcHost,
    src_port: touch.srcPort,
    dst_host: touch.dstHost,
    dst_port: touch.dstPort,
    ip_address: subject.ipAddress,
    ippers: subject.ippers,
    mac_address: subject.macAddress,
    created_at: at,
    agg_key: aggregationKey,
    annotations: srcHost === MANY_SOURCES ? '' : (annotations?.join(',') ?? ''),
    events_count: 0,
    updated_at: receivedAt,
    updated_id: updatedId,
    last_at: 0,
  }
  const { flockId, muted } = subject
  return {
    row,
    notice: {
      incident_id: updatedId,
      flock_id: flockId,
      node_id: touch.nodeId,
      muted,
      late,
      logtype: logtype.logtype,
      ...(sharedAlert && { sharedAlert }),
    },
  }
}
