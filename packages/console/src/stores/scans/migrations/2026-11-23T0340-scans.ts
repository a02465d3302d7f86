import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text, keyed }) => [
  `CREATE TABLE bird_scan (
     source ${text} NOT NULL,
     node_id ${text} NOT NULL,
     probe ${text} NOT NULL,
     flock_id TEXT NOT NULL,
     ip_address TEXT NOT NULL,
     ports TEXT NOT NULL,
     seen_at ${int} NOT NULL,
     PRIMARY KEY (source, node_id, probe)
   ) ${keyed}`,
  `CREATE INDEX bird_scan_by_age ON bird_scan (seen_at)`,
]
