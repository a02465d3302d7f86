// An incident in its three forms: in lists (2.2), fetched (2.3) and found by search (2.4). Numbers and booleans are texts
// in most places, as the specification has them.
import Type, { type Static } from 'typebox'
import { oneOf } from '../fields.ts'
import { Asset } from './asset.ts'

const text = Type.String()
const count = Type.Integer({ minimum: 0 })
const orNull = Type.Union([text, Type.Null()])
const annotations = Type.Record(text, Type.Array(text))

export const Cursor = Type.Object({ next: orNull, next_link: orNull, prev: orNull, prev_link: orNull })

/** The event keys of the logtype, and the time. */
const Event = Type.Unsafe<Record<string, unknown>>(
  Type.Object({ timestamp: Type.Integer(), timestamp_std: text }, { additionalProperties: true }),
)

const incidentDescription = {
  acknowledged: text,
  acknowledged_at: Type.Optional(
    Type.String({ description: 'When it was acknowledged, epoch seconds; only there once it is' }),
  ),
  acknowledged_by: Type.Optional(
    Type.String({
      description:
        'Who acknowledged it: the note of the key with its id behind it, such as `SOC (3f2a9c1e)`; only there once it is',
    }),
  ),
  created: text,
  created_std: text,
  description: Type.String({ description: 'What happened, in a few words' }),
  dst_host: text,
  dst_port: text,
  events: Type.Array(Event),
  events_count: text,
  ip_address: Type.String({ description: 'Address of the Bird; empty for a token' }),
  ippers: Type.String({ description: 'Name of the IP personality of the Bird; empty for a token' }),
  local_time: text,
  logtype: text,
  mac_address: Type.String({ description: 'MAC address of the Bird; empty for a token' }),
  node_id: text,
  notified: text,
  src_asset: Type.Optional(Asset),
  src_host: text,
  src_host_reverse: text,
  src_port: text,
}

const name = Type.String({ description: 'Name of the Bird; N/A for a token' })
const memo = Type.Optional(Type.String({ description: 'Memo of the token; absent for a Bird' }))

export const ListedIncident = Type.Object({
  description: Type.Object(
    {
      ...incidentDescription,
      events_list: text,
      flock_id: text,
      flock_name: text,
      matched_annotations: annotations,
      memo,
      name,
    },
    { description: 'The incident itself' },
  ),
  deleted: Type.Optional(Type.Boolean({ description: 'Only there, and true, when it was deleted' })),
  hash_id: text,
  id: Type.String({ description: 'Key of the incident' }),
  summary: text,
  updated: text,
  updated_id: count,
  updated_std: text,
  updated_time: text,
})

export type ListedIncident = Static<typeof ListedIncident>

/** An item of `unacknowleged_incidents` of a Bird. */
export const OpenIncident = Type.Object({ ...ListedIncident.properties, key: text })

export type OpenIncident = Static<typeof OpenIncident>

const { events: _events, created_std: _std, ...shared } = incidentDescription

/** Fields of the search form alone. */
const found = {
  chat_channel: text,
  chat_ts: text,
  created_age: text,
  created_age_seconds: Type.Number(),
  created_printable: text,
  events_list: Type.Array(Type.Integer(), { description: 'Times of the events, epoch milliseconds' }),
  events_list_printable: text,
  flock_id: text,
  hash_id: text,
  host: Type.Record(text, Type.Unknown()),
  incident_key: text,
  key: text,
  logdata: Type.Array(Type.Record(text, Type.Unknown())),
  memo,
  name,
  previously_seen_count: count,
  sensor: text,
  updated: Type.String({ description: 'The text True' }),
  updated_id: count,
  updated_time: text,
  updated_time_age: text,
  updated_time_age_seconds: Type.Number(),
  updated_time_printable: text,
}

export const FoundIncident = Type.Object({ ...shared, ...found })

export type FoundIncident = Static<typeof FoundIncident>

/** What people said of an incident. */
export const Comment = Type.Object({
  by: Type.String({ description: 'E-mail address of the person, or id of the key' }),
  at: Type.Integer({ description: 'Epoch seconds' }),
  text: Type.String({ description: 'Empty where there is a verdict alone' }),
  verdict: Type.Optional(
    oneOf(['intruder', 'test', 'harmless'], { description: 'What it turned out to be' }),
  ),
})

export const FetchedIncident = Type.Object({
  ...incidentDescription,
  id: Type.String({ description: 'Key of the incident' }),
  // Only with `extended_details`: every field of the other two forms.
  ...Type.Partial(Type.Object(found)).properties,
  comments: Type.Optional(Type.Array(Comment, { description: 'Extension, oldest first' })),
  flock_name: Type.Optional(text),
  matched_annotations: Type.Optional(annotations),
  summary: Type.Optional(text),
  updated: Type.Optional(Type.String({ description: 'An HTTP date, as in lists' })),
  updated_std: Type.Optional(text),
})

export type FetchedIncident = Static<typeof FetchedIncident>

/** An entry of the history of a source. */
export const PastIncident = Type.Object({
  created: Type.Integer(),
  deleted: Type.Boolean(),
  description: Type.String({ description: 'What happened, in a few words' }),
  dst_port: Type.Integer(),
  flock_id: text,
  key: text,
  node_id: text,
  src_host: text,
})
