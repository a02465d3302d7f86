import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE flock (
     flock_id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     note TEXT NOT NULL DEFAULT '',
     created_at ${int} NOT NULL,
     bird_limit ${int} NOT NULL DEFAULT 0,
     limit_enabled ${int} NOT NULL DEFAULT 0,
     webhooks_mode TEXT NOT NULL DEFAULT 'global',
     flock_settings_alerts TEXT NOT NULL DEFAULT 'global',
     device_settings_alerts TEXT NOT NULL DEFAULT 'global'
   ) ${keyed}`,
  `INSERT INTO flock (flock_id, name, created_at) VALUES ('flock:default', 'Default Flock', 0)`,
]
