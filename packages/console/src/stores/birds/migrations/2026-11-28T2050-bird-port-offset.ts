import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `ALTER TABLE bird ADD COLUMN port_offset ${int} NOT NULL DEFAULT -1`,
]
