// 4.6: incidents are acknowledged, unacknowledged and deleted, one or many.
import Type from 'typebox'
import {
  commaList,
  count,
  filter_logtypes,
  filter_str,
  flag,
  flock_id,
  incident,
  node_id,
  oneOf,
  text,
  withDefault,
} from '../fields.ts'
import { del, group, post } from '../operation.ts'
import { Comment } from '../records/incident.ts'

const One = Type.Object({ action: text, key: text })
const Many = Type.Object({
  action: text,
  keys: Type.Array(text, { description: 'Keys of the incidents that changed; empty with keys=false' }),
  count: { ...count, description: 'How many incidents changed' },
  batch_id: Type.String({ description: 'What `incidents/undo` takes; empty when nothing changed' }),
})
const closed = { example: { incident: '{acknowledged_incident}' } }

const comment = Type.Optional(
  Type.String({ maxLength: 2_000, description: 'Extension: words for those who read the incident later' }),
)
const verdict = Type.Optional(
  oneOf(['intruder', 'test', 'harmless'], { description: 'Extension: what it turned out to be' }),
)

const selection = {
  flock_id: Type.Optional(flock_id),
  node_id: Type.Optional(node_id),
  src_host: Type.Optional(
    Type.String({
      description:
        'Source address, or a CIDR range, or either with ! before it for all others (extensions); cannot be combined with node_id',
      maxLength: 255,
    }),
  ),
  older_than: Type.Optional(
    Type.String({
      description: 'Only incidents older than this: an age such as 5h, 3d or 1w, or a time; 0h is all',
      maxLength: 40,
    }),
  ),
  filter_str,
  filter_logtypes,
  hash_ids: Type.Optional({
    ...commaList,
    description: 'Extension: only these incidents: at most 1,000 hash ids, separated by commas',
  }),
  level: Type.Optional(
    Type.String({ maxLength: 64, description: 'Extension: one level or several, separated by commas' }),
  ),
  newer_than: Type.Optional(
    Type.String({ maxLength: 40, description: 'Extension: only incidents newer than this age or time' }),
  ),
  keys: Type.Optional({ ...flag, description: 'Extension: false leaves the keys out of the answer' }),
}
const updated_id = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'Extension: answers 409 if the incident has another updated_id by now',
  }),
)
const bulk = { isStrict: true, example: { older_than: '0h' } }
const many = (path: string, title: string) => post(path, 'analyst', 'flock', title, selection, Many, bulk)

export const incidentActions = group(
  'Incident actions',
  'Acknowledge, unacknowledge and delete incidents, one or many.',
  {
    acknowledge: post(
      '/incident/acknowledge',
      'analyst',
      'flock',
      'Acknowledge an incident',
      { incident, updated_id, comment, verdict },
      One,
      { example: { incident: '{incident}' } },
    ),
    unacknowledge: post(
      '/incident/unacknowledge',
      'analyst',
      'flock',
      'Unacknowledge an incident',
      { incident },
      One,
      closed,
    ),
    remove: del(
      '/incident/delete',
      'analyst',
      'flock',
      'Delete an acknowledged incident',
      { incident },
      One,
      closed,
    ),
    acknowledgeMany: post(
      '/incidents/acknowledge',
      'analyst',
      'flock',
      'Acknowledge every incident that matches',
      { ...selection, comment, verdict },
      Many,
      bulk,
    ),
    unacknowledgeMany: many('/incidents/unacknowledge', 'Unacknowledge every incident that matches'),
    removeMany: del(
      '/incidents/delete',
      'analyst',
      'flock',
      'Delete every acknowledged incident that matches',
      { ...selection, include_unacknowledged: withDefault(flag, false) },
      Many,
      bulk,
    ),
    undo: post(
      '/incidents/undo',
      'analyst',
      'flock',
      'Undo a bulk action: what has changed since is left as it is',
      {
        batch_id: Type.String({ maxLength: 64, description: 'The `batch_id` that the bulk action answered' }),
      },
      Type.Object({
        restored: { ...count, description: 'Incidents that are again as they were' },
        left: { ...count, description: 'Incidents that have changed since, and were left' },
      }),
      { example: { batch_id: '{batch_id}' } },
    ),
    comment: post(
      '/incident/comment',
      'analyst',
      'flock',
      'Comment on an incident',
      { incident, comment: Type.String({ minLength: 1, maxLength: 2_000 }) },
      Type.Object({ comments: Type.Array(Comment) }),
      { example: { incident: '{incident}', comment: 'The scanner of the auditors.' } },
    ),
  },
)
