// DNS: any query whose name carries a token id in front of our zone.
import { printableText } from '@rookery/kernel/sanitize.ts'
import { channel } from '../../channel.ts'
import { blankAnswer } from './blank.ts'
import type { DnsAnswer, DnsVisit } from './visit.ts'

export default channel<DnsVisit, DnsAnswer>({
  name: 'dns',
  // A resolver asks for A, AAAA and HTTPS, and with QNAME minimisation (RFC 9156) for each shorter name first.
  visitMs: 30_000,
  visitor: ({ network }) => network,
  growingKey: 'qname',
  eventName: ({ qtype }) => `DNS ${qtype}`,
  // Names are printable by their codec.
  sanitize: (visit) => ({ ...visit, srcHost: printableText(visit.srcHost) }),
  blank: blankAnswer,
})
