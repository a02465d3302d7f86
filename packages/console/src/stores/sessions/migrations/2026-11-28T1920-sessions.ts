import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE session (
     session_id TEXT PRIMARY KEY,
     user_id TEXT NOT NULL,
     cookie_hash TEXT NOT NULL UNIQUE,
     page_hash TEXT NOT NULL,
     created_at ${int} NOT NULL,
     used_at ${int} NOT NULL,
     address TEXT NOT NULL,
     user_agent TEXT NOT NULL
   ) ${keyed}`,
  `CREATE INDEX session_by_user ON session (user_id)`,
]
