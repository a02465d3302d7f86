import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text, keyed }) => [
  `CREATE TABLE token_invocation (
     token_number ${int} NOT NULL,
     invocation ${text} NOT NULL,
     noted_id ${int} NOT NULL,
     agg_key TEXT NOT NULL,
     received_at ${int} NOT NULL,
     replays ${int} NOT NULL,
     PRIMARY KEY (token_number, invocation)
   ) ${keyed}`,
]
