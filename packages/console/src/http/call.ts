// The caller and the request: what a handler gets besides its parameters.
import type { Scope, Tx } from '../db/query.ts'
import type { AuditEntry } from '../db/audit-entry.ts'
import type { KeyType } from '../stores/keys/tables.ts'
import type { AuditFacts } from '../stores/audit/message.ts'
import type { EntryFlock } from '../stores/audit/entry-flock.ts'
import type { Person } from './person.ts'

export interface Caller {
  /** The id of the key, or the address of the person, as in logs and audit rows; empty for nobody. */
  readonly keyId: string
  /** Who is signed in; undefined for a key, and for nobody. */
  readonly person: Person | undefined
  readonly type: KeyType
  /** The Flocks that the caller may see. */
  readonly scope: Scope
}

export interface Call {
  readonly caller: Caller
  /** The caller's address, behind trusted proxies the forwarded one. */
  readonly address: string
  readonly requestId: string
  readonly userAgent: string
  /** Whether a password may be sent to the address that was asked. */
  readonly isSecure: boolean
  /** Host and port that were asked, as in the address bar. */
  readonly host: string
  /** Sets a header of the answer. */
  readonly setHeader: (name: string, value: string) => void
  /** The console's own address as the caller reached it, without a trailing slash. */
  readonly baseUrl: string
  /** The same for others: where the caller reached it by loopback, its address for people. */
  readonly sharedUrl: string
  /** The key if it came in the query, for the links of the answer. */
  readonly keyInQuery: string | undefined
  /**
   * Writes in one transaction: the only way in which an operation writes. The first change of a call that succeeds also
   * writes its row of the audit trail, and raises the incident of changed settings.
   */
  readonly change: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Called before or inside a change: facts for the audit row besides the parameters, such as a new id. */
  readonly note: (facts: AuditFacts) => void
  /** The audit row, for a caller that writes several calls in one transaction (`createToken`); `change` writes it itself. */
  readonly auditEntry: (flock: EntryFlock, facts?: AuditFacts) => AuditEntry
}
