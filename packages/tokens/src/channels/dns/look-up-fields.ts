// The event keys that kinds share whose token is a look-up.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { DnsVisit } from './visit.ts'

/** For a kind's descriptor: all that `lookUpFields` may have. */
export const LOOK_UP_KEYS = ['qtype', 'qname', 'src_host_is_resolver', 'client_subnet'] as const

/** The source of the event is the resolver; `client_subnet` only where it says whom it asks for. */
export const lookUpFields = ({ qtype, qname, clientSubnet }: DnsVisit): EventFields => ({
  qtype,
  qname,
  src_host_is_resolver: true,
  ...(clientSubnet !== undefined && { client_subnet: clientSubnet }),
})
