import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () => [`ALTER TABLE ticket ADD COLUMN user_id TEXT NOT NULL DEFAULT ''`]
