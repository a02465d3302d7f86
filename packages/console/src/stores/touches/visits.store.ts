// Visits of tokens that go on: a later request of one belongs to the event of the first.
import { hash } from 'node:crypto'
import { inList } from '../../db/in-list.ts'
import type { Tx } from '../../db/query.ts'
import { removeBefore } from '../../db/remove-before.ts'

export interface OngoingVisit {
  readonly visitor: string
  readonly at: number
  readonly aggregationKey: string
}

/** 128 bits. A visitor has its user agent, and so as many characters as that. */
const keyOf = (visitor: string): string => hash('sha256', visitor).slice(0, 32)

/** Those that are stored of these visitors. */
export async function loadVisits(tx: Tx, visitors: readonly string[]): Promise<OngoingVisit[]> {
  const byKey = new Map(visitors.map((visitor) => [keyOf(visitor), visitor]))
  const rows = await tx.query
    .selectFrom('token_visit')
    .selectAll()
    .where(inList(tx.engine, 'visitor', [...byKey.keys()]))
    .execute()
  return rows.map(({ visitor, at, agg_key }) => ({
    visitor: byKey.get(visitor) ?? '',
    at,
    aggregationKey: agg_key,
  }))
}

/** When the last of the stored visits began; undefined when none is stored. */
export async function lastVisitAt(tx: Tx): Promise<number | undefined> {
  const newest = await tx.query
    .selectFrom('token_visit')
    .select('at')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.at
}

export async function storeVisits(tx: Tx, visits: readonly OngoingVisit[]): Promise<void> {
  const rows = new Map(
    visits.map(({ visitor, at, aggregationKey }) => {
      const key = keyOf(visitor)
      return [key, { visitor: key, at, agg_key: aggregationKey }]
    }),
  )
  await tx.insertMany('token_visit', [...rows.values()], { key: ['visitor'], then: 'replace' })
}

/** Visits that began before. */
export const removeOldVisits = (tx: Tx, before: number, most: number): Promise<number> =>
  removeBefore(tx, { table: 'token_visit', key: 'visitor', at: 'at' }, before, most)
