// A page of the log as it was asked for, and as its cursor carries it: the cursor alone resumes.
import type { deliveries } from '@rookery/contract/groups/deliveries.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { parseListTime } from '@rookery/kernel/time.ts'
import { readCursor, signCursor } from '../../secrets/cursor.ts'
import { incidentNames } from '../../secrets/incident-name.ts'
import type { Vault } from '../../secrets/vault.ts'
import type { LogFilter, LogRow } from '../../stores/deliveries/log.store.ts'

export interface Page {
  readonly filter: LogFilter
  readonly limit: number
  /** Only deliveries with a smaller number. */
  readonly before?: number
}

const LIST = 'deliveries'
const USUAL = 100
const MOST = 1_000

export function readPage(params: Params<typeof deliveries.list>, vault: Vault): Page {
  if (params.cursor !== undefined) return readCursor(vault, LIST, params.cursor) as Page
  const { flock_id, webhook_id, state, since, incident } = params
  return {
    filter: {
      ...(flock_id !== undefined && { flockId: flock_id }),
      ...(webhook_id !== undefined && { webhookId: webhook_id }),
      ...(state !== undefined && { state }),
      // A malformed key names no incident.
      ...(incident !== undefined && { incidentId: incidentNames(vault).fromKey(incident) ?? 0 }),
      ...(since !== undefined && { since: parseListTime(since, 'since') }),
    },
    limit: Math.min(params.limit ?? USUAL, MOST),
  }
}

/** `fetched` holds one row more than the page where there is more. */
export function nextCursor({ filter, limit }: Page, fetched: readonly LogRow[], vault: Vault): string | null {
  const last = fetched[limit - 1]
  if (fetched.length <= limit || !last) return null
  return signCursor(vault, LIST, { filter, limit, before: last.delivery_id } satisfies Page)
}
