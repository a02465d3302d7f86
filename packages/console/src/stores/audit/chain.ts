// The hash chain of the audit trail: a row's MAC covers the MAC before it, and a sealed head holds the last number.
// Without the master key, rows can be neither altered, forged nor removed unnoticed (decision 0014).
import type { AuditEntry } from '../../db/audit-entry.ts'
import { storableText } from '../../db/postgres/storable-text.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { AuditTables } from './tables.ts'

export type AuditRow = AuditTables['audit']

export type Head = Omit<AuditTables['audit_head'], 'id'>

type SealDeps = Pick<Vault, 'mac'>

/** The trail of a new installation. */
export const EMPTY: Head = { last_id: 0, mac: '', seal: '' }

/** The first row of every trail: a trail that starts otherwise has lost its start. */
export const FIRST_ACTION = 'console.first_key'
/** Appended by the console when the trail does not end where its head says. */
export const BROKEN_ACTION = 'console.trail_broken'

const MESSAGE = 2_000

/** The entry as every engine returns it: bounded, well-formed texts. */
export const normalizeEntry = (entry: AuditEntry): AuditEntry => ({
  at: entry.at,
  action_type: storableText(entry.action_type.slice(0, 100)),
  message: storableText(entry.message.slice(0, MESSAGE)),
  actor: storableText(entry.actor.slice(0, 320)),
  actor_ip: storableText(entry.actor_ip.slice(0, 64)),
  flock_id: storableText(entry.flock_id.slice(0, 64)),
  flock_name: storableText(entry.flock_name.slice(0, 200)),
})

const sign = (vault: SealDeps, parts: readonly (string | number)[], row?: number): string =>
  vault.mac('audit', JSON.stringify(parts), row).toString('base64url')

/** The MAC of a row behind the row with the MAC `before`; empty for the first. */
export const rowMac = (vault: SealDeps, before: string, row: Omit<AuditRow, 'mac'>): string =>
  sign(
    vault,
    [
      'row',
      before,
      row.id,
      row.at,
      row.action_type,
      row.message,
      row.actor,
      row.actor_ip,
      row.flock_id,
      row.flock_name,
    ],
    row.id,
  )

export const headOf = (vault: SealDeps, lastId: number, mac: string): Head => ({
  last_id: lastId,
  mac,
  seal: sign(vault, ['head', lastId, mac]),
})

/** Whether the head was sealed by this console, or is that of a trail without a row. */
export const isSealed = (vault: SealDeps, head: Head): boolean =>
  head.last_id === 0
    ? head.mac === '' && head.seal === ''
    : headOf(vault, head.last_id, head.mac).seal === head.seal
