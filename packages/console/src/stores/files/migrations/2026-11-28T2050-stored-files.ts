import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text, bytes }) => [
  `CREATE TABLE stored_file (
     file_id ${text} PRIMARY KEY,
     use TEXT NOT NULL,
     owner ${text} NOT NULL,
     sha256 TEXT NOT NULL,
     size ${int} NOT NULL,
     stored_at ${int} NOT NULL
   )`,
  `CREATE INDEX stored_file_owner ON stored_file (owner, stored_at)`,
  // A row is larger than a page: with rows by number, the index of keys stays small.
  `CREATE TABLE stored_file_chunk (
     file_id ${text} NOT NULL,
     n ${int} NOT NULL,
     bytes ${bytes} NOT NULL,
     PRIMARY KEY (file_id, n)
   )`,
]
