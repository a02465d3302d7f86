// What a Bird reports of itself, in HELLO and in each heartbeat, as columns of its row.
import type { Body } from '@rookery/link/messages.ts'
import { decoyColumns } from '../decoy-columns.ts'
import { sanitizeText } from '../sanitize.ts'
import type { Effect } from './state.ts'

export const storeHeartbeat = (
  nodeId: string,
  body: Omit<Body<'HEARTBEAT'>, 'spooled'>,
  isRegistered: boolean,
  now: number,
): Effect => ({
  kind: 'store-heartbeat',
  heartbeat: {
    node_id: nodeId,
    last_seen_at: now,
    live: 1,
    booted_at: bootedAt(body, now),
    applied_tag: sanitizeText(body.settings.tag),
    was_rollback: body.wasRollback ? 1 : 0,
    ...decoyColumns(body, isRegistered),
  },
})

/** Never before 1970: SQLite answers no row with an integer above 2⁵³, and a stranger may claim any uptime. */
export const bootedAt = ({ uptimeS }: Pick<Body<'HEARTBEAT'>, 'uptimeS'>, now: number): number =>
  Math.max(0, now - uptimeS * 1000)
