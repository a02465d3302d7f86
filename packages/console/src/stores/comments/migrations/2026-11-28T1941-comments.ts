import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE incident_comment (
     comment_id TEXT PRIMARY KEY,
     incident_id ${int} NOT NULL,
     at ${int} NOT NULL,
     author TEXT NOT NULL,
     text TEXT NOT NULL,
     verdict TEXT,
     batch_id TEXT NOT NULL
   ) ${keyed}`,
  `CREATE INDEX incident_comment_by_incident ON incident_comment (incident_id, at)`,
  `CREATE INDEX incident_comment_by_batch ON incident_comment (batch_id, incident_id) WHERE batch_id <> ''`,
]
