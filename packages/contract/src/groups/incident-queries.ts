// 4.5: incidents are listed, searched and read.
import Type from 'typebox'
import {
  count,
  cursor,
  filter_logtypes,
  filter_str,
  flag,
  flock_id,
  incident,
  node_id,
  oneOf,
  src_ip,
  text,
  tz,
  withDefault,
} from '../fields.ts'
import { get, group } from '../operation.ts'
import { Cursor, FetchedIncident, FoundIncident, ListedIncident, PastIncident } from '../records/incident.ts'

const when = Type.Optional(Type.String({ maxLength: 40 }))
const limit = Type.Optional(Type.Integer({ minimum: 1 }))

const listParams = {
  node_id: Type.Optional(node_id),
  flock_id: Type.Optional(flock_id),
  incidents_since: Type.Optional(count),
  with_deleted: Type.Optional({
    ...flag,
    description: 'With incidents_since: list incidents that were deleted since, too, marked as deleted',
  }),
  newer_than: when,
  older_than: when,
  event_limit: Type.Optional(count),
  limit,
  cursor,
  shrink: Type.Optional(flag),
  tz,
}

const Feed = Type.Object({
  cursor: Cursor,
  feed: text,
  incidents: Type.Array(ListedIncident),
  max_updated_id: Type.Optional(count),
  updated: text,
  updated_std: text,
  updated_timestamp: Type.Integer(),
})

const Search = Type.Object({
  cursor: Cursor,
  incident_source_counts: Type.Record(text, count),
  incidents: Type.Array(FoundIncident),
  page_number: count,
  total_pages: count,
  total_results: count,
})

const list = (path: string, title: string) =>
  get(path, 'read-only', 'flock', title, listParams, Feed, {
    example: { newer_than: '2026-01-01-00:00:00', limit: 50 },
  })

export const incidentQueries = group(
  'Incident queries',
  'Lists of incidents, search, the history of a source, and single incidents.',
  {
    all: list('/incidents/all', 'List all incidents'),
    acknowledged: list('/incidents/acknowledged', 'List acknowledged incidents'),
    unacknowledged: list('/incidents/unacknowledged', 'List unacknowledged incidents'),
    search: get(
      '/incidents/search',
      'read-only',
      'flock',
      'Search incidents, newest first',
      {
        node_id: Type.Optional(node_id),
        flock_id: Type.Optional(flock_id),
        filter_str,
        filter_logtypes,
        newer_than: when,
        older_than: when,
        filter_incident_state: withDefault(
          oneOf(['all', 'unacknowledged', 'acknowledged']),
          'unacknowledged',
        ),
        limit,
        cursor,
      },
      Search,
      { readsLong: true },
    ),
    sourceHistory: get(
      '/incidents/history/source',
      'read-only',
      'flock',
      'List incidents of a source, deleted ones included; the newest 1,000, older ones by cursor',
      { src_ip: Type.Optional(src_ip), flock_id: Type.Optional(flock_id), cursor },
      Type.Object({ cursor: Cursor, incidents: Type.Array(PastIncident) }),
      { example: { src_ip: '192.0.2.7' }, readsLong: true },
    ),
    fetch: get(
      '/incident/fetch',
      'read-only',
      'flock',
      'Read an incident by its key or hash id',
      {
        incident: Type.Optional(incident),
        hash_id: Type.Optional(Type.String({ maxLength: 64 })),
        extended_details: withDefault(flag, false),
        event_limit: Type.Optional({ ...count, description: 'Extension: only so many events, the newest' }),
        tz,
      },
      Type.Object({ incident: FetchedIncident }),
      { example: { incident: '{incident}', extended_details: true } },
    ),
  },
)
