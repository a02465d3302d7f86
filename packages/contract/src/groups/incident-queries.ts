// 4.5: lists, search, history and fetch of incidents.
import Type from 'typebox'
import { flag, flock_id, node_id, src_ip, tz, withDefault } from '../fields.ts'
import { get } from '../operation.ts'

const incident_key = Type.String({ description: 'Key of an incident', maxLength: 200 })
const hash_id = Type.String({ description: 'Hash id of an incident', maxLength: 64 })
const when = Type.String({ description: 'yyyy-mm-dd-hh:mm:ss, UTC', maxLength: 40 })
const limit = Type.Integer({ minimum: 1, description: 'Page size, 1 to 5000; more is clamped' })
const cursor = Type.String({ description: 'Cursor of a previous answer', maxLength: 4096 })
const count = Type.Integer({ minimum: 0 })
const orNull = Type.Union([Type.String(), Type.Null()])

export const Cursor = Type.Object({ next: orNull, next_link: orNull, prev: orNull, prev_link: orNull })

const listParams = {
  node_id: Type.Optional(node_id),
  flock_id: Type.Optional(flock_id),
  incidents_since: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only incidents whose updated_id is greater; made for polling' }),
  ),
  newer_than: Type.Optional(when),
  older_than: Type.Optional(when),
  event_limit: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Most events of an incident, the newest' }),
  ),
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
  shrink: withDefault(Type.Boolean({ description: 'Leave out events equal but for their time' }), true),
  tz,
}

const Event = Type.Record(Type.String(), Type.Unknown())

/** 2.2: the description of an incident in lists; numbers and truths are texts here. */
const Description = Type.Object({
  acknowledged: Type.String(),
  created: Type.String(),
  created_std: Type.String(),
  description: Type.String(),
  dst_host: Type.String(),
  dst_port: Type.String(),
  events: Type.Array(Event),
  events_count: Type.String(),
  events_list: Type.String(),
  flock_id: Type.String(),
  flock_name: Type.String(),
  ip_address: Type.String(),
  ippers: Type.String(),
  local_time: Type.String(),
  logtype: Type.String(),
  mac_address: Type.String(),
  matched_annotations: Type.Record(Type.String(), Type.Array(Type.String())),
  memo: Type.Optional(Type.String()),
  name: Type.String(),
  node_id: Type.String(),
  notified: Type.String(),
  src_host: Type.String(),
  src_host_reverse: Type.String(),
  src_port: Type.String(),
})

const Incident = Type.Object({
  description: Description,
  hash_id: Type.String(),
  id: Type.String(),
  summary: Type.String(),
  updated: Type.String(),
  updated_id: count,
  updated_std: Type.String(),
  updated_time: Type.String(),
})

const Feed = Type.Object({
  cursor: Cursor,
  feed: Type.String(),
  incidents: Type.Array(Incident),
  max_updated_id: Type.Optional(count),
  updated: Type.String(),
  updated_std: Type.String(),
  updated_timestamp: Type.Integer(),
})

const History = Type.Object({
  created: Type.Integer(),
  deleted: Type.Boolean(),
  description: Type.String(),
  dst_port: Type.Integer(),
  flock_id: Type.String(),
  key: Type.String(),
  node_id: Type.String(),
  src_host: Type.String(),
})

const Search = Type.Object({
  cursor: Cursor,
  incident_source_counts: Type.Record(Type.String(), count),
  incidents: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  page_number: count,
  total_pages: count,
  total_results: count,
})

export const incidentQueries = {
  all: get('/incidents/all', 'read-only', 'List every incident', listParams, Feed),
  acknowledged: get('/incidents/acknowledged', 'read-only', 'List acknowledged incidents', listParams, Feed),
  unacknowledged: get(
    '/incidents/unacknowledged',
    'read-only',
    'List unacknowledged incidents',
    listParams,
    Feed,
  ),
  search: get(
    '/incidents/search',
    'read-only',
    'Search incidents, newest first',
    {
      node_id: Type.Optional(node_id),
      flock_id: Type.Optional(flock_id),
      filter_str: Type.Optional(
        Type.String({
          maxLength: 1000,
          description: 'Part of the alert name, node id, source or destination address',
        }),
      ),
      filter_logtypes: Type.Optional(
        Type.String({ maxLength: 4096, description: 'Logtypes, separated by commas' }),
      ),
      newer_than: Type.Optional(when),
      older_than: Type.Optional(when),
      filter_incident_state: withDefault(
        Type.Union([Type.Literal('all'), Type.Literal('unacknowledged'), Type.Literal('acknowledged')]),
        'unacknowledged',
      ),
      limit: Type.Optional(limit),
      cursor: Type.Optional(cursor),
    },
    Search,
  ),
  sourceHistory: get(
    '/incidents/history/source',
    'read-only',
    'List what a source address did before, deleted incidents too',
    { src_ip: Type.Optional(src_ip), flock_id: Type.Optional(flock_id) },
    Type.Object({ incidents: Type.Array(History) }),
    { example: { params: { src_ip: '192.0.2.7' } } },
  ),
  fetch: get(
    '/incident/fetch',
    'read-only',
    'Read one incident by its key or hash id',
    {
      incident: Type.Optional(incident_key),
      hash_id: Type.Optional(hash_id),
      extended_details: withDefault(flag, false),
      tz,
    },
    Type.Object({ incident: Type.Record(Type.String(), Type.Unknown()) }),
  ),
}
