import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () =>
  ['webhook', 'notification_list'].flatMap((table) => [
    `ALTER TABLE ${table} ADD COLUMN levels TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE ${table} ADD COLUMN quiet_hours TEXT NOT NULL DEFAULT ''`,
  ])
