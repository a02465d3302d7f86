// A mirror: another machine that has the archive of a release, by HTTP. Private addresses are the normal case. What a Bird must not
// be made to ask is itself, what is reached without a router, and the metadata of clouds.
import { BlockList, isIP } from 'node:net'

export const MAX_MIRROR_LENGTH = 2_000

const refused = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8], // this network
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, clouds' metadata (RFC 3927)
  ['100.100.100.200', 32], // a cloud's metadata
  ['192.0.0.192', 32], // a cloud's metadata
  ['168.63.129.16', 32], // a cloud's host agent
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
] as const)
  refused.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 127], // unspecified, loopback
  ['fe80::', 10], // link-local
  ['ff00::', 8], // multicast
  ['fd00:ec2::254', 128], // a cloud's metadata
  ['fd20:ce::254', 128], // a cloud's metadata
] as const)
  refused.addSubnet(net, bits, 'ipv6')

/** Whether a Bird may connect to this address of a mirror; IPv4-mapped IPv6 counts as IPv4. */
export function isMirrorAddress(address: string): boolean {
  const [bare = ''] = address.split('%')
  const family = isIP(bare)
  return family !== 0 && !refused.check(bare, family === 4 ? 'ipv4' : 'ipv6')
}

/** Why this is no URL of a mirror, as a clause; undefined when it is one. A name is judged when it is resolved, by the Bird. */
export function mirrorProblem(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return 'must be an http or https address without a user name, such as http://10.0.0.8/rookery-bird-3.1.0.tar.zst'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(host) !== 0 && !isMirrorAddress(host)) return `is at ${host}, ${NOT_MIRROR}`
  return undefined
}

export const NOT_MIRROR = 'which is loopback, link-local or metadata of a cloud: no mirror'
