import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE api_key (
     key_id TEXT PRIMARY KEY,
     key_hash TEXT NOT NULL UNIQUE,
     sealed_key TEXT NOT NULL,
     type TEXT NOT NULL,
     note TEXT NOT NULL,
     flock_id TEXT NOT NULL DEFAULT '',
     allowed_ip_ranges TEXT NOT NULL DEFAULT '',
     created_at ${int} NOT NULL,
     created_by TEXT NOT NULL,
     expires_at ${int},
     last_used_at ${int}
   ) ${keyed}`,
  `CREATE INDEX api_key_listed ON api_key (type, created_at)`,
]
