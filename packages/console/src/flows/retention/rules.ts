// How long the console and each Flock keep incidents that are done with, and deliveries.
import type { Cutoffs } from '../../db/cutoffs.ts'
import type { Query } from '../../db/query.ts'
import { listFlocks } from '../../stores/flocks/store.ts'
import { readSettings } from '../../stores/settings/store.ts'

/** Days; 0 keeps them. */
export interface Kept {
  readonly incident_days: number
  readonly delivery_days: number
}

export interface RetentionRules extends Kept {
  /** What a Flock has of its own; null follows the console. */
  readonly flocks: ReadonlyMap<string, { readonly [K in keyof Kept]: number | null }>
}

const DAY_MS = 86_400_000

export async function readRetention(db: Query): Promise<RetentionRules> {
  const { incident_days, delivery_days } = await readSettings(db)
  const flocks = await listFlocks(db, 'all')
  return {
    incident_days: Number(incident_days),
    delivery_days: Number(delivery_days),
    flocks: new Map(
      flocks.map(({ flock_id, incident_days, delivery_days }) => [
        flock_id,
        { incident_days, delivery_days },
      ]),
    ),
  }
}

/** What is older now is removed. */
export function cutoffs({ flocks, ...own }: RetentionRules, what: keyof Kept, now: number): Cutoffs {
  const before = (days: number): number => (days === 0 ? 0 : now - days * DAY_MS)
  const named = [...flocks].flatMap(([id, { [what]: days }]): [string, number][] =>
    days === null ? [] : [[id, before(days)]],
  )
  return { others: before(own[what]), flocks: new Map(named) }
}
