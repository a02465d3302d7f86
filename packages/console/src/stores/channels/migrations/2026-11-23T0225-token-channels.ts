import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE token_channel (
     channel TEXT PRIMARY KEY,
     listens TEXT NOT NULL,
     named TEXT NOT NULL,
     opened_at ${int} NOT NULL,
     touched_at ${int} NOT NULL,
     reached_at ${int} NOT NULL,
     reached_from TEXT NOT NULL,
     certificate TEXT NOT NULL,
     certificate_problem TEXT NOT NULL
   ) ${keyed}`,
]
