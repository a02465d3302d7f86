// Extension: who changed what, when and from where.
import Type from 'typebox'
import { count, cursor, flag, incident, text } from '../fields.ts'
import { get, group, Nothing } from '../operation.ts'
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

/** What `fetch` and `export` are asked for. */
const filters = {
  action_type: Type.Optional(Type.String({ maxLength: 100 })),
  user: Type.Optional(Type.String({ maxLength: 320, description: 'Only changes by this key or user' })),
  newer_than: Type.Optional(Type.String({ maxLength: 40, description: 'Only changes after this time' })),
  older_than: Type.Optional(Type.String({ maxLength: 40, description: 'Only changes before this time' })),
  filter_str: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        'Part of the action, the message, the id or note of who acted, their address, or the name of the Flock; A to Z in any case',
    }),
  ),
}

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
        ...filters,
        incident: Type.Optional({
          ...incident,
          description:
            'Only what was done to this incident by itself; changes of many at once name none: `acknowledged_by` of the incident says who made them',
        }),
      },
      Type.Object({ audit_trail: Type.Array(TrailRow), cursor: Cursor }),
      { example: { limit: 20, action_type: 'api_keys.add' }, readsLong: true },
    ),
    export: get(
      '/audit_trail/export',
      'read-only',
      'flock',
      'Download the audit trail as a CSV file, newest first, in which no cell is a formula',
      filters,
      Nothing,
      { answers: 'file', example: { newer_than: '2026-01-01-00:00:00' }, readsLong: true },
    ),
    verify: get(
      '/audit_trail/verify',
      'read-only',
      'console',
      'Verify the audit trail, as `rookery doctor` does',
      {},
      Type.Object({
        is_whole: { ...flag, description: 'Whether no row was altered, added or removed from outside' },
        rows: Type.Integer({ minimum: 0, description: 'Rows that are sound, from the first' }),
        failure: Type.String({
          description: 'What is wrong with the first row that is wrong; empty for none',
        }),
        head: Type.String({
          description:
            'Number and code of the last sound row. Noted elsewhere, it proves later that no row before it was removed: `rookery doctor --audit-head`',
        }),
      }),
      { readsLong: true },
    ),
  },
)
