import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () => [
  `ALTER TABLE incident_batch_stretch ADD COLUMN by_flock TEXT NOT NULL DEFAULT '{}'`,
]
