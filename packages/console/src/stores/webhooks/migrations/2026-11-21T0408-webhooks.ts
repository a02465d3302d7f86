import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE webhook (
     webhook_id TEXT PRIMARY KEY,
     flock_id TEXT NOT NULL,
     kind TEXT NOT NULL,
     url_hash TEXT NOT NULL,
     sealed_url TEXT NOT NULL,
     host TEXT NOT NULL,
     header_names TEXT NOT NULL DEFAULT '[]',
     sealed_headers TEXT NOT NULL DEFAULT '',
     sealed_secret TEXT NOT NULL DEFAULT '',
     sealed_settings TEXT NOT NULL DEFAULT '',
     created_at ${int} NOT NULL,
     disabled_reason TEXT NOT NULL DEFAULT '',
     failing_since ${int},
     UNIQUE (flock_id, kind, url_hash)
   ) ${keyed}`,
  `CREATE TABLE removed_webhook (
     webhook_id TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     host TEXT NOT NULL
   ) ${keyed}`,
  `CREATE TABLE chat_authorisation (
     nonce TEXT PRIMARY KEY,
     flock_id TEXT NOT NULL,
     key_id TEXT NOT NULL,
     expires_at ${int} NOT NULL
   ) ${keyed}`,
]
