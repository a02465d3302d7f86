import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE ignored_line (
     list TEXT NOT NULL,
     owner TEXT NOT NULL,
     position ${int} NOT NULL,
     line TEXT NOT NULL,
     PRIMARY KEY (list, owner, position)
   ) ${keyed}`,
  `CREATE TABLE flock_ignore (
     flock_id TEXT PRIMARY KEY,
     mode TEXT NOT NULL,
     inherits ${int} NOT NULL
   ) ${keyed}`,
  `CREATE TABLE ignore_version (id ${int} PRIMARY KEY, version ${int} NOT NULL)`,
  `INSERT INTO ignore_version (id, version) VALUES (1, 1)`,
  `CREATE TABLE ignored_touch (
     ignored_id ${int} PRIMARY KEY,
     received_at ${int} NOT NULL,
     flock_id TEXT NOT NULL,
     node_id TEXT NOT NULL,
     name TEXT NOT NULL,
     logtype TEXT NOT NULL,
     src_host TEXT NOT NULL,
     dst_port ${int} NOT NULL,
     list TEXT NOT NULL,
     entry TEXT NOT NULL
   )`,
  `CREATE TABLE deferred_touch (
     deferred_id ${int} PRIMARY KEY,
     deferred_at ${int} NOT NULL,
     body TEXT NOT NULL
   )`,
]
