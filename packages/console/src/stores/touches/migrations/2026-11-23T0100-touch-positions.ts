import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE touch_position (
     spool_id TEXT PRIMARY KEY,
     last_seq ${int} NOT NULL,
     missing TEXT NOT NULL,
     moved_at ${int} NOT NULL
   ) ${keyed}`,
]
