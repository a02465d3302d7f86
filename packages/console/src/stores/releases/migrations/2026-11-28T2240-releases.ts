import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text }) => [
  `CREATE TABLE release (
     tag ${text} PRIMARY KEY,
     version TEXT NOT NULL,
     seq ${int} NOT NULL,
     description TEXT NOT NULL,
     manifest TEXT NOT NULL,
     signature TEXT NOT NULL,
     file_id ${text} NOT NULL,
     sha256 TEXT NOT NULL,
     size ${int} NOT NULL,
     ignored ${int} NOT NULL,
     added_at ${int} NOT NULL
   )`,
  `CREATE INDEX release_added ON release (added_at, tag)`,
]
