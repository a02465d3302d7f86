import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text, bytes }) => [
  `CREATE TABLE token_file (
     file_id ${text} PRIMARY KEY,
     token_id ${text} NOT NULL,
     stored_at ${int} NOT NULL
   )`,
  `CREATE INDEX token_file_token ON token_file (token_id, stored_at)`,
  // A row is larger than a page: with rows by number, the index of keys stays small.
  `CREATE TABLE token_file_chunk (
     file_id ${text} NOT NULL,
     n ${int} NOT NULL,
     bytes ${bytes} NOT NULL,
     PRIMARY KEY (file_id, n)
   )`,
]
