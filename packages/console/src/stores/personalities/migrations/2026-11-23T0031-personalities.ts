import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE personality (
     name TEXT PRIMARY KEY,
     settings TEXT NOT NULL,
     saved_by TEXT NOT NULL,
     saved_at ${int} NOT NULL
   ) ${keyed}`,
]
