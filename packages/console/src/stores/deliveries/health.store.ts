// How receivers are doing: what waits for each, when a message last passed, and what its waiting message was answered.
import { sql } from 'kysely'
import { CONSOLE } from '@rookery/kernel/ids.ts'
import type { Query, Scope } from '../../db/query.ts'
import { scopeIds } from '../../db/scope.ts'

/** A receiver; null where no message passed, or none that waits was tried. */
export type ReceiverHealth = Awaited<ReturnType<typeof listReceiverHealth>>[number]

// Repeats the predicate of the partial index `delivery_waiting`.
const isWaiting = sql<boolean>`d.state = 'waiting'`

/** The receivers of the Flocks in scope, those of every Flock first where the scope is all, then by Flock and age. */
export const listReceiverHealth = (db: Query, scope: Scope, flockId?: string) =>
  db
    .selectFrom('webhook as w')
    .select([
      'w.webhook_id',
      'w.flock_id',
      'w.kind',
      'w.host',
      'w.created_at',
      'w.disabled_reason',
      'w.failing_since',
      'w.levels',
      'w.quiet_hours',
    ])
    .select(({ selectFrom }) => [
      selectFrom('delivery as d')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('d.webhook_id', '=', 'w.webhook_id')
        .where(isWaiting)
        .as('waiting'),
      selectFrom('delivery as d')
        .select('d.delivered_at')
        .whereRef('d.webhook_id', '=', 'w.webhook_id')
        .where('d.state', '=', 'delivered')
        .orderBy('d.delivery_id', 'desc')
        // The newest.
        .limit(1)
        .as('last_success'),
      selectFrom('delivery as d')
        .select('d.reason')
        .whereRef('d.webhook_id', '=', 'w.webhook_id')
        .where(isWaiting)
        .where('d.attempts', '>', 0)
        .orderBy('d.delivery_id')
        // The head of the queue.
        .limit(1)
        .as('answered'),
    ])
    .$if(scope !== 'all', (query) => query.where('w.flock_id', 'in', scopeIds(scope)))
    .$if(flockId !== undefined, (query) => query.where('w.flock_id', 'in', [flockId ?? '', CONSOLE]))
    .orderBy('w.flock_id')
    .orderBy('w.created_at')
    .orderBy('w.webhook_id')
    .execute()
