import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE ticket (
     code_hash TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     created_at ${int} NOT NULL,
     expires_at ${int} NOT NULL
   ) ${keyed}`,
]
