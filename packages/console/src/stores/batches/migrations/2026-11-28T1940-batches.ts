import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE incident_batch (
     batch_id TEXT PRIMARY KEY,
     action TEXT NOT NULL,
     created_at ${int} NOT NULL,
     comment TEXT NOT NULL
   ) ${keyed}`,
  `CREATE INDEX incident_batch_by_age ON incident_batch (created_at) WHERE comment = ''`,
  `CREATE TABLE incident_batch_stretch (
     batch_id TEXT NOT NULL,
     first_id ${int} NOT NULL,
     last_id ${int} NOT NULL,
     n ${int} NOT NULL,
     PRIMARY KEY (batch_id, first_id)
   ) ${keyed}`,
]
