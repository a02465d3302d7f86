import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `ALTER TABLE bird_transfer ADD COLUMN update_tag TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE bird_transfer ADD COLUMN source TEXT NOT NULL DEFAULT ''`,
  `CREATE INDEX bird_transfer_update ON bird_transfer (update_tag)`,
  `ALTER TABLE bird ADD COLUMN takes_updates ${int} NOT NULL DEFAULT 0`,
]
