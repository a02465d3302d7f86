import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () => [
  `ALTER TABLE token ADD COLUMN mysql TEXT NOT NULL DEFAULT ''`,
  `ALTER TABLE token ADD COLUMN postgres TEXT NOT NULL DEFAULT ''`,
]
