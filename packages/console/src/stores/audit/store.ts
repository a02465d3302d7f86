// The audit trail: rows are appended and read, never changed or deleted.
import type { AuditEntry } from '../../db/audit-entry.ts'
import { actionType } from '@rookery/contract/action-type.ts'
import { incidentActions } from '@rookery/contract/groups/incident-actions.ts'
import type { EngineName, Query, Row, Scope, Tx } from '../../db/query.ts'
import { containsText, likeAny } from '../../db/text.ts'
import type { Vault } from '../../secrets/vault.ts'
import {
  BROKEN_ACTION,
  EMPTY,
  headOf,
  isSealed,
  rowMac,
  normalizeEntry,
  type Head,
  type AuditRow,
} from './chain.ts'

/** Appends the entries in their order, in the transaction of their change; two small statements besides the rows. */
export async function appendAudit(
  tx: Tx,
  vault: Pick<Vault, 'mac'>,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const [found] = await tx.rows<Head & { readonly top: number | null }>(
    'SELECT last_id, mac, seal, (SELECT max(id) FROM audit) AS top FROM audit_head WHERE id = 1',
    [],
  )
  const { top = null, ...head } = found ?? { ...EMPTY, top: await lastId(tx) }
  const isWhole = isSealed(vault, head) && (top ?? 0) === head.last_id
  const first = entries[0] as AuditEntry
  // A trail that was cut gets a row that says so: a new head alone would hide the cut.
  const all = isWhole ? entries : [brokenAt(first.at, head.last_id, top ?? 0), ...entries]
  let id = Math.max(head.last_id, top ?? 0)
  let mac = head.mac
  const rows = all.map((entry): Row => {
    const row = { id: ++id, ...normalizeEntry(entry) }
    mac = rowMac(vault, mac, row)
    return { ...row, mac }
  })
  await tx.insertMany('audit', rows)
  await tx.insertMany('audit_head', [{ id: 1, ...headOf(vault, id, mac) }], { key: ['id'], then: 'replace' })
}

async function lastId(tx: Tx): Promise<number | null> {
  const [row] = await tx.rows<{ top: number | null }>('SELECT max(id) AS top FROM audit', [])
  return row?.top ?? null
}

const brokenAt = (at: number, expected: number, found: number): AuditEntry => ({
  at,
  action_type: BROKEN_ACTION,
  message: `The trail did not end where it should: at row ${found}, not ${expected}. Rows were changed from outside.`,
  actor: 'console',
  actor_ip: '',
  flock_id: '',
  flock_name: '',
})

export interface AuditFilter {
  readonly actionType?: string | undefined
  readonly user?: string | undefined
  /** The key of an incident: only what was done to it by itself. */
  readonly incident?: string | undefined
  /** Strictly between these times, milliseconds. */
  readonly atAfter?: number | undefined
  readonly atBefore?: number | undefined
  /** Part of what a row says. */
  readonly text?: { readonly part: string; readonly engine: EngineName } | undefined
  /** Only rows behind this one. */
  readonly after?: number | undefined
  /** Only rows before this one. */
  readonly before?: number | undefined
}

/** A row, and the name of who acted: the note of a key, also of one that is gone. */
export type NamedAuditRow = AuditRow & { readonly actor_name: string | null }

const TEXTS = ['action_type', 'message', 'actor', 'actor.name', 'actor_ip', 'flock_name']

/** The actions on one incident: their messages name its key. `audit_by_action` leads to them. */
const ON_ONE_INCIDENT = [
  incidentActions.acknowledge,
  incidentActions.unacknowledge,
  incidentActions.remove,
].map(actionType)

export type AuditOrder = 'oldest' | 'newest'

/** The first `limit` rows of what the scope may see. */
export function readAudit(
  db: Query,
  scope: Scope,
  { actionType: type, user, incident, atAfter, atBefore, text, after, before }: AuditFilter,
  order: AuditOrder,
  limit: number,
): Promise<NamedAuditRow[]> {
  let rows = db
    .selectFrom('audit')
    .leftJoin('actor', 'actor_id', 'actor')
    .selectAll('audit')
    .select('actor.name as actor_name')
  if (scope !== 'all') rows = rows.where('flock_id', 'in', [...scope])
  if (type !== undefined) rows = rows.where('action_type', '=', type)
  if (user !== undefined) rows = rows.where('actor', '=', user)
  if (incident !== undefined) {
    rows = rows
      .where('action_type', 'in', ON_ONE_INCIDENT)
      .where((e) => e.or([',', '.'].map((end) => likeAny(['message'], ` ${incident}${end}`))))
  }
  if (atAfter !== undefined) rows = rows.where('at', '>', atAfter)
  if (atBefore !== undefined) rows = rows.where('at', '<', atBefore)
  if (text !== undefined) rows = rows.where(containsText(text.engine, TEXTS, text.part))
  if (after !== undefined) rows = rows.where('id', '>', after)
  if (before !== undefined) rows = rows.where('id', '<', before)
  return rows
    .orderBy('id', order === 'oldest' ? 'asc' : 'desc')
    .limit(limit)
    .execute()
}

/** Seals the head, which was sealed under the master key before, under that of `vault`. */
export async function resealHead(tx: Tx, vault: Pick<Vault, 'mac'>, { last_id, mac }: Head): Promise<void> {
  await tx.insertMany('audit_head', [{ id: 1, ...headOf(vault, last_id, mac) }], {
    key: ['id'],
    then: 'replace',
  })
}

export const readHead = (db: Query): Promise<Head | undefined> =>
  db.selectFrom('audit_head').select(['last_id', 'mac', 'seal']).where('id', '=', 1).executeTakeFirst()
