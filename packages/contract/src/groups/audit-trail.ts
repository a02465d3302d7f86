// Extension: who changed what, when and from where.
import Type from 'typebox'
import { count, text } from '../fields.ts'
import { get, group } from '../operation.ts'
import { Cursor } from '../records/incident.ts'

const TrailRow = Type.Object({
  id: Type.Integer({ minimum: 1, description: 'Number of the row: 1, 2, 3 …' }),
  timestamp: Type.Integer({ description: 'When it was done, epoch seconds' }),
  action_type: text,
  message: Type.String({ description: 'What was done, in a sentence; secrets are left out' }),
  user: Type.String({
    description: 'Id of the key, `local` for a command on the console’s machine, or `console`',
  }),
  user_ip: text,
  flock_id: Type.String({ description: 'The Flock that it was about; empty for none, or several' }),
  flock_name: Type.String({ description: 'Its name at that time' }),
})

export const auditTrail = group(
  'Audit trail',
  'Who changed what, when and from where. Rows are chained: `rookery doctor` tells when one was altered or removed.',
  {
    fetch: get(
      '/audit_trail/fetch',
      'read-only',
      'Read the audit trail',
      {
        limit: Type.Optional(
          Type.Integer({ minimum: 1, description: 'Page size; default 100, at most 5000' }),
        ),
        cursor: Type.Optional(Type.String({ description: 'A cursor of the answer before', maxLength: 4096 })),
        after_id: Type.Optional({
          ...count,
          description: 'Only rows behind this one, oldest first; without it the newest come first',
        }),
        action_type: Type.Optional(Type.String({ maxLength: 100 })),
        user: Type.Optional(Type.String({ maxLength: 320, description: 'Only what this key or user did' })),
      },
      Type.Object({ audit_trail: Type.Array(TrailRow), cursor: Cursor }),
      { example: { params: { limit: 20, action_type: 'api_keys.add' } } },
    ),
  },
)
