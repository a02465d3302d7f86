// Which touches belong together: same source, node, service instance and logtype; an IPv6 source counts by its /64.
import type { Touch } from '@rookery/kernel/touch.ts'
import { sourceNetwork } from '../../net/source-network.ts'

/** What an incident of many sources shows in place of its source. */
export const MANY_SOURCES = 'many sources'

type Grouped = Pick<Touch, 'nodeId' | 'instance' | 'logtype'>

/** The source stands first, so that what one source did lies together. */
const keyOf = (network: string, { nodeId, instance, logtype }: Grouped): string =>
  `${network}|${nodeId}|${instance}|${logtype}`

export const aggregationKey = (touch: Touch): string => keyOf(sourceNetwork(touch.srcHost), touch)

/** The key of the one incident that takes what exceeds 200 new ones a minute. */
export const surgeKey = (touch: Grouped): string => keyOf(MANY_SOURCES, touch)

/** The keys of a source's network: from the first, up to but without the second. */
export function keysOfSource(srcHost: string): { readonly from: string; readonly below: string } {
  const network = sourceNetwork(srcHost)
  // `}` is the character behind `|`.
  return { from: `${network}|`, below: `${network}}` }
}
