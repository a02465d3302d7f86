import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `CREATE TABLE audit (
     id ${int} PRIMARY KEY,
     at ${int} NOT NULL,
     action_type TEXT NOT NULL,
     message TEXT NOT NULL,
     actor TEXT NOT NULL,
     actor_ip TEXT NOT NULL,
     flock_id TEXT NOT NULL,
     flock_name TEXT NOT NULL,
     mac TEXT NOT NULL
   )`,
  `CREATE INDEX audit_by_action ON audit (action_type, id)`,
  `CREATE INDEX audit_by_actor ON audit (actor, id)`,
  `CREATE TABLE audit_head (
     id ${int} PRIMARY KEY,
     last_id ${int} NOT NULL,
     mac TEXT NOT NULL,
     seal TEXT NOT NULL
   )`,
  `INSERT INTO audit_head (id, last_id, mac, seal) VALUES (1, 0, '', '')`,
]
