// Tokens that raise their first incident only: further touches join that.
import type { FirstIncidents } from '../../../stores/tokens/first-incidents.store.ts'
import type { Arrival } from '../../raise/arrival.ts'
import type { CachedToken } from '../tokens/token-cache.ts'

/** Reads which incidents those are. */
export const loadFirsts = (firsts: FirstIncidents, tokens: ReadonlyMap<string, CachedToken>): Promise<void> =>
  firsts.load([...tokens.values()].filter((token) => token.first_only === 1).map(({ number }) => number))

/** The arrival as it joins the first incident of its token, where that takes all further touches. */
export function joining<A extends Arrival>(
  arrival: A,
  token: CachedToken | undefined,
  firsts: FirstIncidents,
): A {
  const joins = token?.first_only === 1 ? firsts.find(token.number) : undefined
  return joins === undefined ? arrival : { ...arrival, joins }
}
