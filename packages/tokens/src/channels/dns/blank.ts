// The answer that gives nothing away: a live token without an answer of its own and an unknown one get the same.
import type { DnsAnswer, DnsVisit } from './visit.ts'

/** NXDOMAIN for leaves alone: a resolver may take it for every name below (RFC 8020). */
export const blankAnswer = ({ isNx, labels }: Pick<DnsVisit, 'isNx' | 'labels'>): DnsAnswer =>
  isNx && labels.length > 0 ? 'no-such-name' : 'addresses'
