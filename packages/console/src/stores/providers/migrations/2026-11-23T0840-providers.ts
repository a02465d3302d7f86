import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int, text, keyed }) => [
  `CREATE TABLE provider_resource (
     token_id ${text} PRIMARY KEY,
     provider ${text} NOT NULL,
     kind TEXT NOT NULL,
     state ${text} NOT NULL,
     remote_id ${text} NOT NULL,
     sealed_handle TEXT NOT NULL,
     created_at ${int} NOT NULL,
     due_at ${int} NOT NULL,
     expires_at ${int} NOT NULL,
     is_expiry_raised ${int} NOT NULL,
     used_at ${int} NOT NULL,
     attempts ${int} NOT NULL,
     last_error TEXT NOT NULL
   ) ${keyed}`,
  `CREATE INDEX provider_resource_remote ON provider_resource (provider, remote_id)`,
  `CREATE INDEX provider_resource_due ON provider_resource (due_at) WHERE due_at > 0`,
  `CREATE INDEX provider_resource_expiry ON provider_resource (expires_at) WHERE expires_at > 0`,
  `CREATE TABLE provider_feed (
     provider TEXT PRIMARY KEY,
     position TEXT NOT NULL,
     fed_at ${int} NOT NULL,
     failing_since ${int} NOT NULL,
     last_error TEXT NOT NULL,
     silence_raised_at ${int} NOT NULL
   ) ${keyed}`,
  `CREATE TABLE seen_event (
     source ${text} NOT NULL,
     event_id ${text} NOT NULL,
     seen_at ${int} NOT NULL,
     PRIMARY KEY (source, event_id)
   ) ${keyed}`,
  `CREATE INDEX seen_event_by_time ON seen_event (seen_at)`,
]
