// What one DNS query for a token carries, and what its sender gets.
import type { VisitBase } from '../../channel.ts'

export interface DnsVisit extends VisitBase {
  readonly channel: 'dns'
  /** The whole name, in lower case, without a dot at its end. */
  readonly qname: string
  /** `A`, `AAAA`, … or `TYPE99`. */
  readonly qtype: string
  /** Labels in front of the token's, in lower case. */
  readonly labels: readonly string[]
  /** The resolver's /24 or /56: the servers of one resolver share it. */
  readonly network: string
  /** The network of the client, if the resolver says it (RFC 7871). */
  readonly clientSubnet?: string
  /** Whether the name lies where leaves do not exist, so that no connection follows. */
  readonly isNx: boolean
}

export type DnsAnswer = 'addresses' | 'no-such-name'
