import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `CREATE TABLE delivery (
     delivery_id ${int} PRIMARY KEY,
     message_id TEXT NOT NULL,
     replay_of ${int} NOT NULL DEFAULT 0,
     webhook_id TEXT NOT NULL,
     flock_id TEXT NOT NULL,
     subject TEXT NOT NULL,
     incident_id ${int} NOT NULL,
     payload TEXT NOT NULL DEFAULT '',
     state TEXT NOT NULL,
     folded_into TEXT NOT NULL DEFAULT '',
     attempts ${int} NOT NULL DEFAULT 0,
     reduced ${int} NOT NULL DEFAULT 0,
     partly_sent ${int} NOT NULL DEFAULT 0,
     next_at ${int} NOT NULL,
     created_at ${int} NOT NULL,
     delivered_at ${int},
     status ${int} NOT NULL DEFAULT 0,
     reason TEXT NOT NULL DEFAULT ''
   )`,
  `CREATE INDEX delivery_waiting ON delivery (webhook_id, delivery_id) WHERE state = 'waiting'`,
  // Messages that keep their own schedule and delay no other.
  `CREATE INDEX delivery_scheduled ON delivery (webhook_id, next_at) WHERE state = 'waiting' AND (reduced = 1 OR partly_sent = 1 OR subject = 'backlog')`,
  `CREATE INDEX delivery_folded ON delivery (folded_into) WHERE state = 'folded'`,
  // A receiver's log, the newest first.
  `CREATE INDEX delivery_by_receiver ON delivery (webhook_id, delivery_id)`,
  `CREATE INDEX delivery_replayed ON delivery (replay_of) WHERE replay_of > 0`,
  `CREATE INDEX delivery_by_age ON delivery (created_at)`,
]
