import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ keyed }) => [
  `CREATE TABLE console_setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) ${keyed}`,
]
