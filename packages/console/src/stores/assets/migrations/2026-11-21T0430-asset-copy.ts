import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `CREATE TABLE asset_copy (
     id ${int} PRIMARY KEY,
     source TEXT NOT NULL,
     body TEXT NOT NULL,
     fetched_at ${int} NOT NULL
   )`,
]
