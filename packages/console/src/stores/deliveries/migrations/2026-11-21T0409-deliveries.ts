import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `CREATE TABLE delivery (
     delivery_id ${int} PRIMARY KEY,
     message_id TEXT NOT NULL UNIQUE,
     webhook_id TEXT NOT NULL,
     flock_id TEXT NOT NULL,
     subject TEXT NOT NULL,
     incident_id ${int} NOT NULL,
     payload TEXT NOT NULL DEFAULT '',
     state TEXT NOT NULL,
     attempts ${int} NOT NULL DEFAULT 0,
     reduced ${int} NOT NULL DEFAULT 0,
     next_at ${int} NOT NULL,
     created_at ${int} NOT NULL,
     delivered_at ${int},
     status ${int} NOT NULL DEFAULT 0,
     reason TEXT NOT NULL DEFAULT ''
   )`,
  `CREATE INDEX delivery_waiting ON delivery (webhook_id, delivery_id) WHERE state = 'waiting'`,
  `CREATE INDEX delivery_due ON delivery (next_at) WHERE state = 'waiting'`,
  `CREATE INDEX delivery_by_age ON delivery (created_at)`,
]
