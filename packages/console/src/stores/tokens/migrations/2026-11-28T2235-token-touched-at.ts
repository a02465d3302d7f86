import type { Migration } from '../../../db/migration.ts'

/** 0 for a token that was last touched before: its history says when. */
export const migration: Migration = ({ int }) => [
  `ALTER TABLE token_count ADD COLUMN touched_at ${int} NOT NULL DEFAULT 0`,
]
