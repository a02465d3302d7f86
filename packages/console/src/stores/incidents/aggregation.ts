// Which touches belong together: same source, node, service instance and logtype; an IPv6 source counts by its /64.
import type { Touch } from '@rookery/kernel/touch.ts'
import { sourceNetwork } from '../../addresses/source-network.ts'

/** What an incident of many sources shows in place of its source. */
export const MANY_SOURCES = 'many sources'

type Grouped = Pick<Touch, 'nodeId' | 'instance' | 'logtype'>

/** The source comes first, so that the index keeps the incidents of one source together. */
const keyOf = (network: string, { nodeId, instance, logtype }: Grouped): string =>
  `${network}|${nodeId}|${instance}|${logtype}`

export const aggregationKey = (touch: Touch): string => keyOf(sourceNetwork(touch.srcHost), touch)

/** The key of the one incident that takes what exceeds the new ones of a minute, of every service instance. */
export const surgeKey = ({ nodeId, logtype }: Pick<Grouped, 'nodeId' | 'logtype'>): string =>
  keyOf(MANY_SOURCES, { nodeId, instance: '', logtype })

/** The range of keys of a source's network: `from` included, `below` excluded. */
export function keysOfSource(srcHost: string): { readonly from: string; readonly below: string } {
  const network = sourceNetwork(srcHost)
  // `}` follows `|` in ASCII.
  return { from: `${network}|`, below: `${network}}` }
}
