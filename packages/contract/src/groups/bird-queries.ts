// 4.7: lists of Birds, and single Birds.
import Type from 'typebox'
import {
  countsByLevel,
  cursor,
  flag,
  flock_id,
  mostFound,
  node_id,
  oneOf,
  text,
  tz,
  withDefault,
} from '../fields.ts'
import { get, group } from '../operation.ts'
import { DetailedBird, ListedBird } from '../records/bird.ts'
import { Cursor, OpenIncident } from '../records/incident.ts'

const orNull = Type.Union([text, Type.Null()])

const List = Type.Object({
  cursor: Type.Optional(
    Type.Object(
      { next: orNull, next_link: orNull },
      { description: 'The next page, null on the last one; only where a page was asked for' },
    ),
  ),
  devices: Type.Array(ListedBird),
  feed: text,
  updated: text,
  updated_std: text,
  updated_timestamp: Type.Integer(),
})

const Ips = Type.Object({
  ips: Type.Record(
    text,
    Type.Object({
      name: Type.String({ description: 'Name of the Flock' }),
      devices: Type.Record(
        text,
        Type.Object({ ip_address: text, name: Type.String({ description: 'Name of the Bird' }) }),
        { description: 'Id of a Bird to its address and name' },
      ),
    }),
  ),
})

const listParams = {
  limit: Type.Optional(
    Type.Integer({ description: 'Page size, at most 5000; without it the list is whole', minimum: 1 }),
  ),
  cursor,
  tz,
}

const Row = Type.Object({
  node_id: text,
  name: text,
  flock_id: text,
  flock_name: text,
  state: oneOf(['live', 'offline', 'never_seen'], {
    description: 'never_seen: not seen since it was registered',
  }),
  ip_address: text,
  ippers: text,
  version: text,
  services: Type.Integer({ minimum: 0, description: 'Services whose ports are open' }),
  settings_failure: Type.String({
    description:
      'Why its newest settings are not wholly in force, at most 120 characters; empty when they are',
  }),
  is_muted: Type.Boolean({ description: 'Whether alerts of its incidents are not sent' }),
  open: Type.Object(countsByLevel, { description: 'Its incidents that nobody has acknowledged, by level' }),
  last_heartbeat: Type.Integer({ description: 'Epoch seconds' }),
})

const inUtc = { example: { tz: 'UTC' } }

export const birdQueries = group(
  'Bird queries',
  'Lists of Birds, and single Birds with their incidents and settings.',
  {
    all: get('/devices/all', 'read-only', 'flock', 'List all registered Birds', listParams, List, inUtc),
    live: get(
      '/devices/live',
      'read-only',
      'flock',
      'List registered Birds that are online',
      listParams,
      List,
      inUtc,
    ),
    dead: get(
      '/devices/dead',
      'read-only',
      'flock',
      'List registered Birds that were online before and are offline',
      listParams,
      List,
      inUtc,
    ),
    filter: get(
      '/devices/filter',
      'read-only',
      'flock',
      'Find Birds by part of their name, id, addresses or description',
      { filter_str: Type.Optional(Type.String({ maxLength: 1000 })), limit: mostFound },
      Type.Object({ devices: Type.Array(DetailedBird) }),
      { example: { filter_str: 'nas', limit: 5 } },
    ),
    rows: get(
      '/devices/rows',
      'read-only',
      'flock',
      'List registered Birds as rows of at most 1.5 KB, oldest first, with an exact total',
      {
        filter_str: Type.Optional(
          Type.String({
            maxLength: 255,
            description: 'Part of the name, id, addresses, location, description or note; A to Z in any case',
          }),
        ),
        state: Type.Optional(
          oneOf(['live', 'offline', 'never_seen', 'settings_failed'], { description: 'Only such Birds' }),
        ),
        flock_id: Type.Optional(flock_id),
        limit: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1_000, description: 'Page size; 100 unless said' }),
        ),
        cursor,
      },
      Type.Object({
        rows: Type.Array(Row),
        total: Type.Integer({ minimum: 0, description: 'Matches over all pages, exact' }),
        cursor: Cursor,
      }),
      { example: { state: 'live', limit: 20 } },
    ),
    info: get(
      '/device/info',
      'read-only',
      'flock',
      'Read a Bird with its unacknowledged incidents and, on request, its settings',
      {
        node_id,
        settings: withDefault(Type.Boolean({ description: 'Include the settings object' }), false),
        exclude_fixed_settings: withDefault(flag, false),
        tz,
      },
      Type.Object({
        device: Type.Object({
          ...DetailedBird.properties,
          note: Type.String({ description: 'Extension: free text for people' }),
          settings: Type.Optional(Type.Record(text, Type.Unknown())),
          settings_notes: Type.Optional(
            Type.Record(text, text, {
              description:
                'Extension, with settings: what intruders see in the place of settings that are empty, by their key',
            }),
          ),
          unacknowleged_incidents: Type.Array(OpenIncident),
        }),
      }),
      { aliases: ['/device/getinfo'], example: { node_id: '{node_id}', settings: true } },
    ),
    ips: get(
      '/device/ips',
      'read-only',
      'flock',
      'List the addresses of Birds by Flock, or download them as text',
      {
        download: withDefault(flag, false),
        include_annotations: withDefault(flag, false),
        flock_id: Type.Optional(flock_id),
      },
      Ips,
      { answers: 'file', example: { download: true, include_annotations: true } },
    ),
  },
)
