// Addresses to which users may make the console connect: public ones, and those that the operator allows.
import { BlockList } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Ranges } from '../addresses/ranges.ts'

/** Special-purpose blocks of IPv4 (IANA registry, RFC 6890 and its updates): none of them is a service on the Internet. */
const SPECIAL_V4 = [
  '0.0.0.0/8', // this network, unspecified
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598); some clouds' metadata
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, clouds' metadata (RFC 3927)
  '172.16.0.0/12',
  '192.0.0.0/24', // protocol assignments; a cloud's metadata
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16',
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '198.51.100.0/24',
  '203.0.113.0/24',
  '168.63.129.16/32', // a cloud's host agent, public only by its number
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]

/** Inside 2000::/3, the only block of global unicast, what is special: tunnels, documentation, assignments. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']
const GLOBAL_V6 = '2000::/3'

const special = new BlockList()
for (const range of SPECIAL_V4) add(special, range, 'ipv4')
for (const range of SPECIAL_V6) add(special, range, 'ipv6')
const global = new BlockList()
add(global, GLOBAL_V6, 'ipv6')

/** Whether a socket may be opened to this IP address; false for text that is no address. */
export function isEgressAllowed(address: string, allow: Ranges): boolean {
  const checked = canonical(address)
  if (checked === undefined) return false
  if (allow.has(checked.text)) return true
  if (checked.family === 'ipv4') return !special.check(checked.text, 'ipv4')
  return global.check(checked.text, 'ipv6') && !special.check(checked.text, 'ipv6')
}

/** Without a zone; IPv4-mapped IPv6 in any spelling is IPv4. */
function canonical(address: string): { text: string; family: 'ipv4' | 'ipv6' } | undefined {
  const [bare = ''] = address.split('%')
  if (!ipaddr.IPv6.isValid(bare) && !ipaddr.IPv4.isValidFourPartDecimal(bare)) return undefined
  const parsed = ipaddr.process(bare)
  return { text: parsed.toString(), family: parsed.kind() }
}

function add(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [net = '', bits] = range.split('/')
  list.addSubnet(net, Number(bits), family)
}
