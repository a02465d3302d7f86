// Extension: what a list of incidents shows, in rows of at most 1 KB, and what an incident's page needs besides.
import Type, { type Static } from 'typebox'
import { LEVELS } from '@rookery/kernel/logtype.ts'
import {
  count,
  countsByLevel,
  cursor,
  filter_str,
  flock_id,
  incident,
  node_id,
  oneOf,
  text,
  withDefault,
} from '../fields.ts'
import { get, group, Nothing } from '../operation.ts'
import { Cursor } from '../records/incident.ts'

export const level = oneOf(LEVELS)
const at = Type.Integer({ description: 'Epoch seconds' })
const when = Type.Optional(Type.String({ maxLength: 40 }))
const limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1_000, description: 'Page size; 100 unless said' }),
)

export const Evidence = Type.Object({
  name: Type.String({ description: 'Key of the event, such as USERNAME' }),
  value: Type.String({ description: 'As the intruder wrote it, at most 120 characters' }),
})

export const IncidentRow = Type.Object({
  key: text,
  hash_id: text,
  level,
  logtype: text,
  summary: text,
  evidence: Type.Array(Evidence, { maxItems: 3, description: 'Of the newest event, the best first' }),
  node_id: text,
  is_token: Type.Boolean(),
  place: Type.String({ description: 'Name of the Bird, or memo of the token' }),
  flock_id: text,
  flock_name: text,
  src_host: text,
  src_name: Type.String({ description: 'Reverse name or asset of the source; empty when unknown' }),
  seen_before: Type.Integer({ minimum: 0, description: 'Earlier incidents of the same source' }),
  dst_port: Type.Integer({ minimum: -1, description: 'Port that was touched; -1 where there is none' }),
  events_count: count,
  first: at,
  last: at,
  acknowledged: Type.Boolean(),
  updated_id: count,
})

export type IncidentRow = Static<typeof IncidentRow>

/** Which incidents: of rows, of the file and of the timeline alike. */
const filters = {
  state: withDefault(oneOf(['open', 'acknowledged', 'all']), 'open'),
  level: Type.Optional(
    Type.String({ maxLength: 64, description: 'One level or several, separated by commas' }),
  ),
  flock_id: Type.Optional(flock_id),
  node_id: Type.Optional(node_id),
  decoytoken: Type.Optional(Type.String({ maxLength: 64 })),
  source: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Source address or CIDR range; with ! before it, all others',
    }),
  ),
  of_one_source: Type.Optional(
    Type.Boolean({ description: 'Leave out incidents of many sources, as a bulk action with src_host does' }),
  ),
  logtype: Type.Optional(Type.String({ maxLength: 16 })),
  filter_str,
  newer_than: when,
  older_than: when,
}

const LogtypeFacts = Type.Object({
  summary: text,
  level,
  evidence: Type.Array(text),
  meaning: text,
  next: Type.Array(text),
})

const seconds = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description })

const Gap = Type.Object({
  node_id: text,
  name: Type.String({ description: 'Name of the Bird' }),
  flock_id: text,
  from: Type.Integer({
    description: 'When the Bird was last heard, or the time asked for began; epoch seconds',
  }),
  to: Type.Integer({ description: 'When it was back, or the time asked for ended; epoch seconds' }),
  is_open: Type.Boolean({ description: 'Whether it is still silent' }),
})

/** Incidents of a time that are not deleted. */
const IncidentReport = Type.Object({
  verdicts: Type.Array(
    Type.Object({
      verdict: Type.String({
        description:
          '`open` for those that are not acknowledged; `intruder`, `test` or `harmless` as was last said; else `none`',
      }),
      ...countsByLevel,
    }),
    { description: 'Incidents by what came of them, and by level' },
  ),
  acknowledged: Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'Acknowledged ones of which the time is known' }),
      median_seconds: seconds('Half of these were acknowledged within so many seconds of their beginning'),
      p95_seconds: seconds('95 of 100 of these were acknowledged within so many seconds of their beginning'),
    },
    { description: 'How soon incidents were acknowledged' },
  ),
  gaps: Type.Array(Gap, { description: 'When Birds were silent: the 100 longest times, the longest first' }),
  gaps_total: Type.Integer({ minimum: 0, description: 'How many there were, counted up to 10,000' }),
})

export const incidentViews = group(
  'Incident views',
  'Rows of a list of incidents, the events of one, and what each kind of incident means.',
  {
    rows: get(
      '/incidents/rows',
      'read-only',
      'flock',
      'List incidents as rows, newest first, with an exact total',
      {
        ...filters,
        changed_since: Type.Optional({
          ...count,
          description: 'Only what changed after this updated_id, and in `gone` what no longer matches',
        }),
        limit,
        cursor,
      },
      Type.Object({
        rows: Type.Array(IncidentRow),
        total: Type.Integer({ minimum: 0, description: 'Matches over all pages, exact' }),
        max_updated_id: Type.Integer({ minimum: 0, description: 'Pass it as changed_since next time' }),
        gone: Type.Array(text, {
          description: 'With changed_since: hash ids of incidents that changed and no longer match',
        }),
        is_complete: Type.Boolean({
          description: 'With changed_since: false when more than 1,000 changed; then list anew',
        }),
        cursor: Cursor,
      }),
      { example: { state: 'all', level: 'used,tried', limit: 20 } },
    ),
    export: get(
      '/incidents/export',
      'read-only',
      'flock',
      'Download the newest 100,000 incidents that match as a CSV file, in which no cell is a formula',
      filters,
      Nothing,
      { answers: 'file', example: { state: 'all', level: 'used,tried' }, readsLong: true },
    ),
    timeline: get(
      '/incidents/timeline',
      'read-only',
      'flock',
      'Count incidents over time, by level',
      filters,
      Type.Object({
        columns: Type.Array(Type.Object({ at, ...countsByLevel }), {
          description:
            'One after another without a gap, at most 61; of the last 30 days, unless newer_than says otherwise',
        }),
        seconds: Type.Integer({ minimum: 60, description: 'How long each column is' }),
      }),
      { example: { state: 'all' }, readsLong: true },
    ),
    report: get(
      '/incidents/report',
      'read-only',
      'flock',
      'Sum up a time: incidents by level and verdict, time to acknowledge, gaps in watching',
      {
        flock_id: Type.Optional(flock_id),
        newer_than: Type.String({ maxLength: 40, description: 'Incidents that began after this time' }),
        older_than: Type.Optional(
          Type.String({
            maxLength: 40,
            description: 'Incidents that began before this time; now unless said',
          }),
        ),
      },
      IncidentReport,
      { example: { newer_than: '2026-01-01-00:00:00' }, readsLong: true },
    ),
    events: get(
      '/incident/events',
      'read-only',
      'flock',
      'List the stored events of an incident, oldest first',
      {
        incident: Type.Optional(incident),
        hash_id: Type.Optional(Type.String({ maxLength: 64 })),
        limit,
        cursor,
      },
      Type.Object({
        events: Type.Array(
          Type.Object({
            nth: Type.Integer({ minimum: 1, description: 'Number of the event in its incident, from 1' }),
            at: Type.Number({ description: 'Epoch seconds, with milliseconds' }),
            fields: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true })),
          }),
        ),
        total: Type.Integer({
          minimum: 0,
          description: 'All events; the first 100 and the last 900 are stored',
        }),
        first: Type.Integer({ description: 'Time of the first event, epoch seconds' }),
        last: Type.Integer({ description: 'Time of the last event, epoch seconds' }),
        cursor: Cursor,
      }),
      { example: { incident: '{incident}', limit: 20 } },
    ),
    logtypes: get(
      '/logtypes/list',
      'read-only',
      'everybody',
      'List the kinds of incidents: what each means, and what to do next',
      {},
      Type.Object({ logtypes: Type.Record(text, LogtypeFacts) }),
    ),
  },
)
