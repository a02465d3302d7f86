// Which touches belong together: same node, service instance, logtype and source; an IPv6 source counts by its /64.
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Touch } from '@rookery/kernel/touch.ts'

export const aggregationKey = ({ nodeId, instance, logtype, srcHost }: Touch): string =>
  `${nodeId}|${instance}|${logtype}|${sourceNetwork(srcHost)}`

/** The key of the one incident that takes what exceeds 200 new ones a minute. */
export const surgeKey = ({ nodeId, instance, logtype }: Touch): string => `${nodeId}|${instance}|${logtype}|*`

function sourceNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const parts = ipaddr.parse(address) as ipaddr.IPv6
  return parts.isIPv4MappedAddress()
    ? parts.toIPv4Address().toString()
    : parts.parts
        .slice(0, 4)
        .map((p) => p.toString(16))
        .join(':') + '::/64'
}
