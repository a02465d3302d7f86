import type { Migration } from '../migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE commit_sequence (id ${int} PRIMARY KEY, updated_id ${int} NOT NULL, config_version ${int} NOT NULL)`,
  `INSERT INTO commit_sequence (id, updated_id, config_version) VALUES (1, 0, 0)`,
  `CREATE TABLE last_commit (writer_id TEXT PRIMARY KEY, number ${int} NOT NULL, committed_at ${int} NOT NULL) ${keyed}`,
  `CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) ${keyed}`,
  `CREATE TABLE lease (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until ${int} NOT NULL) ${keyed}`,
]
