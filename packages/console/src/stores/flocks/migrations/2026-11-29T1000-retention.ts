import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = ({ int }) => [
  `ALTER TABLE flock ADD COLUMN incident_days ${int}`,
  `ALTER TABLE flock ADD COLUMN delivery_days ${int}`,
]
