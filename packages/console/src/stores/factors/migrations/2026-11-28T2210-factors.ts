import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE totp (
     user_id TEXT PRIMARY KEY,
     sealed_secret TEXT NOT NULL,
     last_step ${int} NOT NULL,
     confirmed ${int} NOT NULL,
     created_at ${int} NOT NULL
   ) ${keyed}`,
  `CREATE TABLE recovery_code (code_hash TEXT PRIMARY KEY, user_id TEXT NOT NULL) ${keyed}`,
  `CREATE INDEX recovery_code_by_user ON recovery_code (user_id)`,
  `CREATE TABLE passkey (
     passkey_id TEXT PRIMARY KEY,
     user_id TEXT NOT NULL,
     rp_id TEXT NOT NULL,
     public_key TEXT NOT NULL,
     counter ${int} NOT NULL,
     transports TEXT NOT NULL,
     name TEXT NOT NULL,
     created_at ${int} NOT NULL,
     used_at ${int},
     challenged_at ${int} NOT NULL
   ) ${keyed}`,
  `CREATE INDEX passkey_by_user ON passkey (user_id)`,
]
