import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `ALTER TABLE bundle ADD COLUMN checksum TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE bundle ADD COLUMN started_at ${int}`,
  `ALTER TABLE bundle ADD COLUMN ended_at ${int}`,
]
