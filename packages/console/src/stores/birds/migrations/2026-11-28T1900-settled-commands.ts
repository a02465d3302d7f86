import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () => [
  // What housekeeping removes.
  `CREATE INDEX bird_command_settled ON bird_command (updated_at) WHERE state <> 'waiting' AND state <> 'sent'`,
]
