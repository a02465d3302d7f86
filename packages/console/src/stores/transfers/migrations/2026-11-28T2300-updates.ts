import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `ALTER TABLE bird_transfer ADD COLUMN update_tag TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE bird ADD COLUMN takes_updates ${int} NOT NULL DEFAULT 0`,
]
