// Tables of the database itself.

export interface FoundationTables {
  /** Applied migrations, by name. */
  schema_migration: { name: string; applied_at: number }
  /** One row: a writing transaction locks it, and takes the next `updated_id` from it (decision 0003). */
  commit_sequence: { id: number; updated_id: number; config_version: number }
  /** The last transaction of each connection that writes to PostgreSQL; it is asked for when the answer to COMMIT was lost. */
  last_commit: { writer_id: string; number: number; committed_at: number }
  /** Named values of the installation, such as the check value of the master key. */
  meta: { name: string; value: string }
  /** Work that only one console may do at a time. */
  lease: { name: string; holder: string; until: number }
}
