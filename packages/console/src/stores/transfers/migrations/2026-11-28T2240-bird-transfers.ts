import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text }) => [
  `CREATE TABLE bird_transfer (
     job_id ${text} PRIMARY KEY,
     node_id ${text} NOT NULL,
     kind TEXT NOT NULL,
     state TEXT NOT NULL,
     file_id TEXT NOT NULL,
     size ${int} NOT NULL,
     copied ${int} NOT NULL,
     reason TEXT NOT NULL,
     pid ${int} NOT NULL,
     password TEXT NOT NULL,
     wrong_passwords ${int} NOT NULL,
     settings TEXT NOT NULL,
     created_at ${int} NOT NULL,
     deadline_at ${int} NOT NULL,
     updated_at ${int} NOT NULL,
     ended_at ${int}
   )`,
  // One open job of a kind on a Bird.
  `CREATE UNIQUE INDEX bird_transfer_open ON bird_transfer (node_id, kind) WHERE ended_at IS NULL`,
  `CREATE INDEX bird_transfer_by_node ON bird_transfer (node_id, kind, created_at)`,
  `CREATE INDEX bird_transfer_deadline ON bird_transfer (deadline_at) WHERE ended_at IS NULL`,
  `CREATE INDEX bird_transfer_ended ON bird_transfer (ended_at)`,
]
