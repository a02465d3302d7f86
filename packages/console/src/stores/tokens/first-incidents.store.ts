// Tokens that raise their first incident only: which incident that is.
import { inList } from '../../db/in-list.ts'
import type { Tx } from '../../db/query.ts'

export interface FirstIncidents {
  /** Reads those of the tokens with these numbers. */
  load(tokenNumbers: readonly number[]): Promise<void>
  /** The aggregation key of the token's first incident; undefined before that, and after it was deleted. */
  find(tokenNumber: number): string | undefined
  /** The incident of this key is the token's first one. */
  mark(tokenNumber: number, aggregationKey: string): void
  store(): Promise<void>
}

export function openFirstIncidents(tx: Tx): FirstIncidents {
  const keys = new Map<number, string>()
  const marked = new Set<number>()
  return {
    async load(tokenNumbers) {
      if (tokenNumbers.length === 0) return
      for (const { number, agg_key } of await readKeys(tx, [...new Set(tokenNumbers)]))
        keys.set(number, agg_key)
    },
    find: (tokenNumber) => keys.get(tokenNumber),
    mark(tokenNumber, aggregationKey) {
      keys.set(tokenNumber, aggregationKey)
      marked.add(tokenNumber)
    },
    async store() {
      if (marked.size === 0) return
      const rows = Array.from(marked, (number) => ({ number, agg_key: keys.get(number) ?? '' }))
      await tx.insertMany('token_first_incident', rows, { key: ['number'], then: 'replace' })
    },
  }
}

/** Of those whose newest incident of the key is not deleted. */
const readKeys = (tx: Tx, numbers: readonly number[]): Promise<{ number: number; agg_key: string }[]> =>
  tx.query
    .selectFrom('token_first_incident as f')
    .innerJoin('incident_state as s', (join) =>
      join.on('s.incident_id', '=', (e) =>
        e
          .selectFrom('incident_fact as n')
          .select('n.incident_id')
          .whereRef('n.agg_key', '=', 'f.agg_key')
          .orderBy('n.incident_id', 'desc')
          .limit(1),
      ),
    )
    .select(['f.number', 'f.agg_key'])
    .where(inList(tx.engine, 'f.number', numbers))
    .where('s.deleted_at', 'is', null)
    .execute()

/** The next touch raises again. */
export async function forgetFirstIncident({ query }: Pick<Tx, 'query'>, tokenNumber: number): Promise<void> {
  await query.deleteFrom('token_first_incident').where('number', '=', tokenNumber).execute()
}
