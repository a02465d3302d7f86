// Deliveries that are old. A long read finds them.
import { sql } from 'kysely'
import { isBefore, lastCutoff, type Cutoffs } from '../../db/cutoffs.ts'
import type { Engine } from '../../db/engine.ts'
import type { Tx } from '../../db/query.ts'
import type { DeliveryRow } from './store.ts'

export type OldDelivery = Pick<DeliveryRow, 'delivery_id' | 'flock_id' | 'created_at'>

/** At most `most` behind `from`, the oldest first. */
export function oldDeliveries(
  { reader, longRead }: Engine,
  cutoffs: Cutoffs,
  from: OldDelivery | undefined,
  most: number,
): Promise<OldDelivery[]> {
  let walk = reader
    .selectFrom('delivery')
    .select(['delivery_id', 'flock_id', 'created_at'])
    .where('created_at', '<', lastCutoff(cutoffs))
    .where(isBefore(cutoffs, sql.ref('created_at')))
  if (from)
    walk = walk
      .where('created_at', '>=', from.created_at)
      .where(sql<boolean>`(created_at, delivery_id) > (${from.created_at}, ${from.delivery_id})`)
  return longRead(walk.orderBy('created_at').orderBy('delivery_id').limit(most).compile())
}

/** How many would go now. */
export async function countOldDeliveries({ reader, longRead }: Engine, cutoffs: Cutoffs): Promise<number> {
  const query = reader
    .selectFrom('delivery')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('created_at', '<', lastCutoff(cutoffs))
    .where(isBefore(cutoffs, sql.ref('created_at')))
  const [row] = await longRead(query.compile())
  return Number(row?.n ?? 0)
}

export async function removeDeliveries(tx: Tx, deliveries: readonly OldDelivery[]): Promise<true> {
  await tx.deleteMany(
    'delivery',
    'delivery_id',
    deliveries.map(({ delivery_id }) => delivery_id),
  )
  return true
}
