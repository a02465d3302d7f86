// Which touches belong together: same node, service instance, logtype and source; an IPv6 source counts by its /64.
import type { Touch } from '@rookery/kernel/touch.ts'
import { sourceNetwork } from '../../net/source-network.ts'

export const aggregationKey = ({ nodeId, instance, logtype, srcHost }: Touch): string =>
  `${nodeId}|${instance}|${logtype}|${sourceNetwork(srcHost)}`

/** The key of the one incident that takes what exceeds 200 new ones a minute. */
export const surgeKey = ({ nodeId, instance, logtype }: Touch): string => `${nodeId}|${instance}|${logtype}|*`
