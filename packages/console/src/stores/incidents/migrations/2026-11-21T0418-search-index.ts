import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ engine, int, text }) => [
  `CREATE TABLE search_block (
     block ${int} PRIMARY KEY,
     first_id ${int} NOT NULL,
     last_id ${int} NOT NULL,
     n ${int} NOT NULL,
     oldest_at ${int} NOT NULL,
     newest_at ${int} NOT NULL,
     acknowledged ${int} NOT NULL,
     deleted ${int} NOT NULL,
     networks TEXT NOT NULL,
     provisional ${int} NOT NULL
   )`,
  `CREATE UNIQUE INDEX search_block_by_last ON search_block (last_id)`,
  `CREATE TABLE search_cells (
     cell_id ${int} PRIMARY KEY,
     cells ${engine === 'sqlite' ? 'BLOB' : 'BYTEA'} NOT NULL
   )`,
  // Packed as they are: compressing them again would cost more than reading them.
  ...(engine === 'postgres' ? ['ALTER TABLE search_cells ALTER COLUMN cells SET STORAGE EXTERNAL'] : []),
  `CREATE TABLE search_kind (
     kind_id ${int} PRIMARY KEY,
     logtype TEXT NOT NULL,
     summary TEXT NOT NULL,
     node_id TEXT NOT NULL,
     flock_id TEXT NOT NULL,
     dst_host TEXT NOT NULL,
     folded TEXT NOT NULL
   )`,
  `CREATE UNIQUE INDEX search_kind_by_value ON search_kind (node_id, logtype, flock_id, dst_host, summary)`,
  `CREATE TABLE search_source (
     source_id ${int} PRIMARY KEY,
     source ${text} NOT NULL
   )`,
  `CREATE UNIQUE INDEX search_source_by_value ON search_source (source)`,
]
