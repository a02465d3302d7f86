import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, keyed }) => [
  `CREATE TABLE user_account (
     user_id TEXT PRIMARY KEY,
     email TEXT NOT NULL,
     email_key TEXT NOT NULL UNIQUE,
     password_hash TEXT NOT NULL DEFAULT '',
     access_level TEXT NOT NULL,
     note TEXT NOT NULL DEFAULT '',
     disabled ${int} NOT NULL DEFAULT 0,
     supervisor ${int} NOT NULL DEFAULT 0,
     totp_enabled ${int} NOT NULL DEFAULT 0,
     no_direct_login ${int} NOT NULL DEFAULT 0,
     saml_provisioned ${int} NOT NULL DEFAULT 0,
     webauthn_enabled ${int} NOT NULL DEFAULT 0,
     webauthn_credential TEXT NOT NULL DEFAULT '',
     custom_flock_icons_enabled ${int} NOT NULL DEFAULT 1,
     page_transitions_enabled ${int} NOT NULL DEFAULT 1,
     seasonal_effects_enabled ${int} NOT NULL DEFAULT 0,
     summary_email_enabled ${int} NOT NULL DEFAULT 0,
     created_at ${int} NOT NULL,
     most_recent_login_at ${int},
     previous_login_at ${int}
   ) ${keyed}`,
  `CREATE TABLE user_flock (
     user_id TEXT NOT NULL,
     flock_id TEXT NOT NULL,
     role TEXT NOT NULL,
     PRIMARY KEY (user_id, flock_id)
   ) ${keyed}`,
  `CREATE INDEX user_flock_by_flock ON user_flock (flock_id)`,
]
