import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `CREATE TABLE bundle (
     bundle_tag TEXT PRIMARY KEY,
     node_id TEXT NOT NULL,
     type TEXT NOT NULL,
     settings_tag TEXT NOT NULL,
     seq ${int} NOT NULL,
     state TEXT NOT NULL,
     size ${int} NOT NULL,
     copied ${int} NOT NULL,
     reason TEXT NOT NULL,
     created_at ${int} NOT NULL,
     updated_at ${int} NOT NULL
   )`,
  `CREATE INDEX bundle_by_node ON bundle (node_id, seq)`,
  `CREATE INDEX bundle_by_age ON bundle (updated_at)`,
]
