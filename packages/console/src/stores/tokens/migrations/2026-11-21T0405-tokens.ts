import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text, keyed }) => [
  // Rows lie in the order of creation, as lists read them. Ids are random, so they have an index of their own.
  `CREATE TABLE token (
     token_id ${text} PRIMARY KEY,
     number ${int} NOT NULL,
     kind TEXT NOT NULL,
     memo TEXT NOT NULL,
     flock_id TEXT NOT NULL,
     settings TEXT NOT NULL,
     renders TEXT NOT NULL,
     url TEXT NOT NULL,
     hostname TEXT NOT NULL,
     peer_key ${text} NOT NULL DEFAULT '',
     enabled ${int} NOT NULL DEFAULT 1,
     quiet_sources TEXT NOT NULL DEFAULT '',
     first_only ${int} NOT NULL DEFAULT 0,
     placement TEXT NOT NULL DEFAULT '',
     placement_by TEXT NOT NULL DEFAULT '',
     placement_at ${int} NOT NULL DEFAULT 0,
     created_at ${int} NOT NULL,
     created_by TEXT NOT NULL,
     factory_key_id TEXT NOT NULL DEFAULT '',
     updated_id ${int} NOT NULL DEFAULT 0
   )`,
  // Every touch writes the page of its token's count. Keyed by number, a page holds three hundred counts.
  `CREATE TABLE token_count (
     number ${int} PRIMARY KEY,
     triggered_count ${int} NOT NULL,
     updated_id ${int} NOT NULL
   )`,
  `CREATE INDEX token_made ON token (created_at, token_id)`,
  `CREATE INDEX token_flock ON token (flock_id, created_at, token_id)`,
  `CREATE INDEX token_factory ON token (factory_key_id) WHERE factory_key_id != ''`,
  `CREATE UNIQUE INDEX token_peer ON token (peer_key) WHERE peer_key != ''`,
  `CREATE TABLE token_first_incident (
     number ${int} PRIMARY KEY,
     agg_key TEXT NOT NULL
   )`,
  `CREATE TABLE token_test (
     test_id ${text} PRIMARY KEY,
     token_id ${text} NOT NULL,
     alerts ${int} NOT NULL,
     started_at ${int} NOT NULL,
     started_by TEXT NOT NULL,
     peer_key ${text} NOT NULL
   )`,
  `CREATE INDEX token_test_token ON token_test (token_id)`,
  `CREATE UNIQUE INDEX token_test_peer ON token_test (peer_key) WHERE peer_key != ''`,
  `CREATE TABLE token_batch_row (
     batch_id ${text} NOT NULL,
     nth ${int} NOT NULL,
     digest TEXT NOT NULL,
     token_id ${text} NOT NULL,
     PRIMARY KEY (batch_id, nth)
   ) ${keyed}`,
  `CREATE INDEX token_batch_row_token ON token_batch_row (token_id)`,
  `CREATE TABLE deleted_token (
     token_id ${text} PRIMARY KEY,
     deleted_at ${int} NOT NULL
   ) ${keyed}`,
]
