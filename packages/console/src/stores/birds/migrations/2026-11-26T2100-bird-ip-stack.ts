import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () => [`ALTER TABLE bird ADD COLUMN ip_stack TEXT NOT NULL DEFAULT ''`]
