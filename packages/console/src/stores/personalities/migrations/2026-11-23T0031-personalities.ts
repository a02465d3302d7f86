import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text, keyed }) => [
  `CREATE TABLE personality (
     name ${text} PRIMARY KEY,
     settings TEXT NOT NULL,
     saved_by TEXT NOT NULL,
     saved_at ${int} NOT NULL
   ) ${keyed}`,
]
