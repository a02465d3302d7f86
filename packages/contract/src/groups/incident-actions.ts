// 4.6: incidents are acknowledged, unacknowledged and deleted, one or many.
import Type from 'typebox'
import {
  filter_logtypes,
  filter_str,
  flag,
  flock_id,
  incident,
  node_id,
  text,
  withDefault,
} from '../fields.ts'
import { del, group, post } from '../operation.ts'

const One = Type.Object({ action: text, key: text })
const Many = Type.Object({ action: text, keys: Type.Array(text) })
const closed = { example: { incident: '{acknowledged_incident}' } }

const selection = {
  flock_id: Type.Optional(flock_id),
  node_id: Type.Optional(node_id),
  src_host: Type.Optional(
    Type.String({ description: 'Source address; cannot be combined with node_id', maxLength: 255 }),
  ),
  older_than: Type.Optional(
    Type.String({
      description: 'Only incidents older than this: an age such as 5h, 3d or 1w; 0h is all',
      maxLength: 16,
    }),
  ),
  filter_str,
  filter_logtypes,
}
const updated_id = Type.Optional(
  Type.Integer({
    minimum: 0,
    description: 'Extension: answers 409 if the incident has another updated_id by now',
  }),
)
const bulk = { isStrict: true, example: { older_than: '0h' } }
const many = (path: string, title: string) => post(path, 'analyst', title, selection, Many, bulk)

export const incidentActions = group(
  'Incident actions',
  'Acknowledge, unacknowledge and delete incidents, one or many.',
  {
    acknowledge: post(
      '/incident/acknowledge',
      'analyst',
      'Acknowledge an incident',
      { incident, updated_id },
      One,
      { example: { incident: '{incident}' } },
    ),
    unacknowledge: post(
      '/incident/unacknowledge',
      'analyst',
      'Unacknowledge an incident',
      { incident },
      One,
      closed,
    ),
    remove: del('/incident/delete', 'analyst', 'Delete an acknowledged incident', { incident }, One, closed),
    acknowledgeMany: many('/incidents/acknowledge', 'Acknowledge every incident that matches'),
    unacknowledgeMany: many('/incidents/unacknowledge', 'Unacknowledge every incident that matches'),
    removeMany: del(
      '/incidents/delete',
      'analyst',
      'Delete every acknowledged incident that matches',
      { ...selection, include_unacknowledged: withDefault(flag, false) },
      Many,
      bulk,
    ),
  },
)
