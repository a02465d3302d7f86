import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `ALTER TABLE bird ADD COLUMN takes_files ${int} NOT NULL DEFAULT 0`,
]
