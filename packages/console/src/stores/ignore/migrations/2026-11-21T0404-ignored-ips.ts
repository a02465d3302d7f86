import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE ignored_ip (
     owner TEXT NOT NULL,
     position ${int} NOT NULL,
     line TEXT NOT NULL,
     PRIMARY KEY (owner, position)
   ) ${keyed}`,
]
