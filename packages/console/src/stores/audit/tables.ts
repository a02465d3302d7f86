import type { AuditEntry } from '../../db/audit-entry.ts'

export interface AuditTables {
  /** One row for each change, numbered 1, 2, 3 …; never changed, never deleted. */
  audit: AuditEntry & {
    id: number
    /** Over the MAC of the row before and this row. */
    mac: string
  }
  /** One row: where the trail ends, sealed, so that rows missing at its end are noticed. */
  audit_head: { id: number; last_id: number; mac: string; seal: string }
}
