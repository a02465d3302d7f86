// Extension: who changed what, when and from where.
import Type from 'typebox'
import { count, cursor, incident, text } from '../fields.ts'
import { get, group } from '../operation.ts'
import { Cursor } from '../records/incident.ts'

const TrailRow = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Number of the row, from 1' }),
  timestamp: Type.Integer({ description: 'Time of the change, epoch seconds' }),
  action_type: text,
  message: Type.String({ description: 'What was done, in a sentence without secrets' }),
  user: Type.String({
    description:
      'Id of the key; `local` for a command on the machine of the console; `console` for the console itself',
  }),
  user_note: Type.String({
    description: 'Note of the key, also of one that is gone; empty where `user` is no key',
  }),
  user_ip: text,
  flock_id: Type.String({ description: 'Flock that was changed; empty for none, or for several' }),
  flock_name: Type.String({ description: 'Name of the Flock at that time' }),
})

export const auditTrail = group(
  'Audit trail',
  'Who changed what, when and from where. Rows are chained: `rookery doctor` reports a row that was altered or removed.',
  {
    fetch: get(
      '/audit_trail/fetch',
      'read-only',
      'flock',
      'Read the audit trail',
      {
        limit: Type.Optional(
          Type.Integer({ minimum: 1, description: 'Page size; default 100, at most 5000' }),
        ),
        cursor,
        after_id: Type.Optional({
          ...count,
          description: 'Only rows after this one, oldest first; without it the newest are first',
        }),
        action_type: Type.Optional(Type.String({ maxLength: 100 })),
        incident: Type.Optional({
          ...incident,
          description:
            'Only what was done to this incident by itself; changes of many at once name none: `acknowledged_by` of the incident says who made them',
        }),
        user: Type.Optional(Type.String({ maxLength: 320, description: 'Only changes by this key or user' })),
      },
      Type.Object({ audit_trail: Type.Array(TrailRow), cursor: Cursor }),
      { example: { limit: 20, action_type: 'api_keys.add' } },
    ),
  },
)
