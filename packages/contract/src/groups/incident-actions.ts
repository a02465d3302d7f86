// 4.6: acknowledge, unacknowledge and delete, one or many.
import Type from 'typebox'
import { flag, flock_id, node_id, withDefault } from '../fields.ts'
import { del, post } from '../operation.ts'

const incident = Type.String({ description: 'Key of an incident', maxLength: 200 })
const One = Type.Object({ action: Type.String(), key: Type.String() })
const Many = Type.Object({ action: Type.String(), keys: Type.Array(Type.String()) })

const selection = {
  flock_id: Type.Optional(flock_id),
  node_id: Type.Optional(node_id),
  src_host: Type.Optional(
    Type.String({ description: 'Source address; not together with node_id', maxLength: 255 }),
  ),
  older_than: Type.Optional(
    Type.String({ description: 'Age, such as 5h, 3d or 1w; 0h is everything', maxLength: 16 }),
  ),
  filter_str: Type.Optional(Type.String({ maxLength: 1000 })),
  filter_logtypes: Type.Optional(Type.String({ maxLength: 4096, description: 'Separated by commas' })),
}
const updated_id = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Extension: refuse with 409 if the incident changed since' }),
)
const everything = { example: { params: { older_than: '0h' } } }

export const incidentActions = {
  acknowledge: post(
    '/incident/acknowledge',
    'analyst',
    'Acknowledge an incident',
    { incident, updated_id },
    One,
  ),
  unacknowledge: post(
    '/incident/unacknowledge',
    'analyst',
    'Take an acknowledgement back',
    { incident },
    One,
  ),
  remove: del('/incident/delete', 'analyst', 'Delete an acknowledged incident', { incident }, One),
  acknowledgeMany: post(
    '/incidents/acknowledge',
    'analyst',
    'Acknowledge every incident that matches',
    selection,
    Many,
    everything,
  ),
  unacknowledgeMany: post(
    '/incidents/unacknowledge',
    'analyst',
    'Take the acknowledgement of every match back',
    selection,
    Many,
    everything,
  ),
  removeMany: del(
    '/incidents/delete',
    'analyst',
    'Delete every acknowledged incident that matches',
    { ...selection, include_unacknowledged: withDefault(flag, false) },
    Many,
    everything,
  ),
}
