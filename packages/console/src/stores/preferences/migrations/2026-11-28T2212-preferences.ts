import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE preference (
     user_id TEXT PRIMARY KEY,
     theme TEXT NOT NULL,
     zone TEXT NOT NULL,
     single_keys ${int} NOT NULL
   ) ${keyed}`,
]
