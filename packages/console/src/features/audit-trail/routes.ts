// Extension: who changed what. Newest first; with `after_id` oldest first, for systems that keep a copy.
import { auditTrail } from '@rookery/contract/groups/audit-trail.ts'
import { FileStream, implement, type Route } from '@rookery/contract/implement.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { csvRow } from '@rookery/kernel/csv/write.ts'
import { afterSecond, epoch, parseListTime, std } from '@rookery/kernel/time.ts'
import type { AppContext } from '../../app-context.ts'
import type { Call } from '../../http/call.ts'
import { cursorLinks, type Cursors } from '../../http/cursor-links.ts'
import type { EngineName, Query, Scope } from '../../db/query.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import { readAudit, type AuditFilter, type AuditOrder, type NamedAuditRow } from '../../stores/audit/store.ts'
import { verifyAudit } from '../../stores/audit/verify.ts'

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

export const auditTrailRoutes = ({
  engine,
  reader,
  vault,
}: Pick<AppContext, 'engine' | 'reader' | 'vault'>): Route<Call>[] => {
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
    async fetch({ limit = DEFAULT_LIMIT, cursor, after_id, incident, ...asked }, call: Call) {
      const request =
        cursor === undefined
          ? {
              limit: Math.min(limit, MAX_LIMIT),
              order: after_id === undefined ? ('newest' as const) : ('oldest' as const),
              filter: { ...filterOf(asked, engine.name), after: after_id, incident },
            }
          : (readCursor(vault, PATH, cursor) as PageRequest)
      const { order, filter } = rowsToRead(request)
      const fetched = await readAudit(reader, call.caller.scope, filter, order, request.limit + 1)
      const rows = fetched.slice(0, request.limit)
      if (request.backward) rows.reverse()
      const cursors = cursorsOf(request, rows, fetched.length > request.limit)
      return { audit_trail: rows.map(view), cursor: cursorLinks(cursors, PATH, call) }
    },
    export: (asked, { caller }: Call) =>
      Promise.resolve(
        new FileStream(
          'audit-trail.csv',
          'text/csv; charset=utf-8',
          asCsv(reader, caller.scope, filterOf(asked, engine.name)),
        ),
      ),
    async verify() {
      const { rows, failure, head } = await verifyAudit(reader, vault)
      return { is_whole: failure === undefined, rows, failure: failure ?? '', head }
    },
  })
}

const filterOf = (
  { action_type, user, newer_than, older_than, filter_str }: Params<(typeof auditTrail)['export']>,
  engine: EngineName,
): AuditFilter => ({
  actionType: action_type,
  user,
  ...(newer_than !== undefined && { atAfter: afterSecond(parseListTime(newer_than, 'newer_than')) }),
  ...(older_than !== undefined && { atBefore: parseListTime(older_than, 'older_than') }),
  ...(filter_str !== undefined && { text: { part: filter_str, engine } }),
})

const ROWS_AT_ONCE = 1_000

/** A header, then each row as `fetch` shows it. */
async function* asCsv(reader: Query, scope: Scope, filter: AuditFilter): AsyncGenerator<string> {
  yield csvRow(['id', 'time', ...COLUMNS])
  let before: number | undefined
  for (;;) {
    const rows = await readAudit(reader, scope, { ...filter, before }, 'newest', ROWS_AT_ONCE)
    yield rows
      .map((row) => {
        const shown = view(row)
        return csvRow([shown.id, std(row.at), ...COLUMNS.map((column) => shown[column])])
      })
      .join('')
    if (rows.length < ROWS_AT_ONCE) return
    before = rows.at(-1)?.id
  }
}

const COLUMNS = [
  'timestamp',
  'action_type',
  'message',
  'user',
  'user_note',
  'user_ip',
  'flock_id',
  'flock_name',
] as const

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
