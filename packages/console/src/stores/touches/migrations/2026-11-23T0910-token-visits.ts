import type { Migration } from '../../../db/migration.ts'

// A crash may lose it: then a visit that goes on is counted once more. So PostgreSQL need not write it to its log.
export const migration: Migration = ({ engine, int, text, keyed }) => [
  `CREATE ${engine === 'postgres' ? 'UNLOGGED TABLE' : 'TABLE'} token_visit (
     visitor ${text} PRIMARY KEY,
     at ${int} NOT NULL,
     agg_key TEXT NOT NULL
   ) ${keyed}`,
  `CREATE INDEX token_visit_by_time ON token_visit (at)`,
]
