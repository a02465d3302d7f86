// Extension: who changed what. Newest first; with `after_id` oldest first, for systems that keep a copy.
import { auditTrail } from '@rookery/contract/groups/audit-trail.ts'
import { implement, type Route } from '@rookery/contract/implement.ts'
import { epoch } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks, type Cursors } from '../../http/cursor-links.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import { readAudit, type AuditFilter, type AuditOrder, type NamedAuditRow } from '../../stores/audit/store.ts'

/** A page as the caller asked for it; its cursor carries the same. */
interface PageRequest {
  readonly limit: number
  readonly order: AuditOrder
  readonly filter: AuditFilter
  /** The row next to the page, and whether the page lies before it. */
  readonly from?: number
  readonly backward?: boolean
}

const PATH = auditTrail.fetch.path
const DEFAULT_LIMIT = 100
const MAX_LIMIT = 5_000

export const auditTrailRoutes = ({ reader, vault }: Pick<AppContext, 'reader' | 'vault'>): Route<Call>[] => {
  function cursorsOf(request: PageRequest, rows: readonly NamedAuditRow[], more: boolean): Cursors {
    const { limit, order, filter, from, backward = false } = request
    const sign = (row: NamedAuditRow | undefined, back: boolean): string | null =>
      row
        ? signCursor(vault, PATH, {
            limit,
            order,
            filter,
            from: row.id,
            backward: back,
          } satisfies PageRequest)
        : null
    return {
      next: backward || more ? sign(rows.at(-1), false) : null,
      prev: (backward ? more : from !== undefined) ? sign(rows[0], true) : null,
    }
  }

  return implement(auditTrail, {
    async fetch({ limit = DEFAULT_LIMIT, cursor, after_id, action_type, user, incident }, call: Call) {
      const request =
        cursor === undefined
          ? {
              limit: Math.min(limit, MAX_LIMIT),
              order: after_id === undefined ? ('newest' as const) : ('oldest' as const),
              filter: { after: after_id, actionType: action_type, user, incident },
            }
          : (readCursor(vault, PATH, cursor) as PageRequest)
      const { order, filter } = rowsToRead(request)
      const fetched = await readAudit(reader, call.caller.scope, filter, order, request.limit + 1)
      const rows = fetched.slice(0, request.limit)
      if (request.backward) rows.reverse()
      const cursors = cursorsOf(request, rows, fetched.length > request.limit)
      return { audit_trail: rows.map(view), cursor: cursorLinks(cursors, PATH, call) }
    },
  })
}

/** The rows nearest to `from` come first: a page before it is read backwards. */
function rowsToRead({ order, filter, from, backward = false }: PageRequest): {
  readonly order: AuditOrder
  readonly filter: AuditFilter
} {
  const reading: AuditOrder = backward ? (order === 'newest' ? 'oldest' : 'newest') : order
  if (from === undefined) return { order: reading, filter }
  const after = Math.max(from, filter.after ?? 0)
  return { order: reading, filter: reading === 'oldest' ? { ...filter, after } : { ...filter, before: from } }
}

const view = (row: NamedAuditRow) => ({
  id: row.id,
  timestamp: epoch(row.at),
  action_type: row.action_type,
  message: row.message,
  user: row.actor,
  user_note: row.actor_name ?? '',
  user_ip: row.actor_ip,
  flock_id: row.flock_id,
  flock_name: row.flock_name,
})
