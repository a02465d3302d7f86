import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ keyed }) => [
  `CREATE TABLE actor (
     actor_id TEXT PRIMARY KEY,
     name TEXT NOT NULL
   ) ${keyed}`,
  `INSERT INTO actor (actor_id, name) SELECT key_id, note FROM api_key`,
]
