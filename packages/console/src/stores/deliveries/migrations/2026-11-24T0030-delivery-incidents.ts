import type { Migration } from '../../../db/migration.ts'

export const migration: Migration = () => [
  // Whom an incident was sent to.
  `CREATE INDEX delivery_by_incident ON delivery (incident_id) WHERE incident_id > 0`,
]
