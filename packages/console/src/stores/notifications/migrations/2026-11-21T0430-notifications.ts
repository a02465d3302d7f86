import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE notification_list (
     flock_id TEXT NOT NULL,
     list TEXT NOT NULL,
     recipients TEXT NOT NULL,
     enabled ${int} NOT NULL,
     PRIMARY KEY (flock_id, list)
   ) ${keyed}`,
  `CREATE TABLE weekly_summary (id ${int} PRIMARY KEY, until ${int} NOT NULL)`,
]
