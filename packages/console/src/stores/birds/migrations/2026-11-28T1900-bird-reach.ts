import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () => [`ALTER TABLE bird ADD COLUMN reach TEXT NOT NULL DEFAULT ''`]
