import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE quiet_touch (
     token_number ${int} NOT NULL,
     quiet_id ${int} NOT NULL,
     at ${int} NOT NULL,
     reason TEXT NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (token_number, quiet_id)
   ) ${keyed}`,
]
