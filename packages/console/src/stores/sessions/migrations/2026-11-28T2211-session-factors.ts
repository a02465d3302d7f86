import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `ALTER TABLE session ADD COLUMN needs_factor ${int} NOT NULL DEFAULT 0`,
  `ALTER TABLE session ADD COLUMN proved_at ${int} NOT NULL DEFAULT 0`,
]
