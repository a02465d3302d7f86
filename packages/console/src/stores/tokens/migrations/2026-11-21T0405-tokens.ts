import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE token (
     token_id TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     memo TEXT NOT NULL,
     flock_id TEXT NOT NULL,
     settings TEXT NOT NULL,
     renders TEXT NOT NULL,
     url TEXT NOT NULL,
     hostname TEXT NOT NULL,
     enabled ${int} NOT NULL DEFAULT 1,
     created_at ${int} NOT NULL,
     created_by TEXT NOT NULL,
     factory_key_id TEXT NOT NULL DEFAULT '',
     triggered_count ${int} NOT NULL DEFAULT 0,
     updated_id ${int} NOT NULL DEFAULT 0
   ) ${keyed}`,
  `CREATE INDEX token_flock ON token (flock_id, token_id)`,
]
