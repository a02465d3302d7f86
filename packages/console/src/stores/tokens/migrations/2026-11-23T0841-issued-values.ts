import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () => [`ALTER TABLE token ADD COLUMN issued TEXT NOT NULL DEFAULT ''`]
