// What a host reports, and between which addresses.
import { bounded } from '@rookery/kernel/bound.ts'
import type { Touch } from '@rookery/kernel/touch.ts'

/** A touch without its node: the host does not know on which Bird it runs. */
export type HostTouch = Omit<Touch, 'nodeId'>

export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Between whom, and when (Unix time in ms). */
export interface Between {
  readonly src: Endpoint
  readonly dst: Endpoint
  readonly at: number
}

/** The touch of an event, with its values bounded. */
export const hostTouch = (
  instance: string,
  { logtype, fields }: Pick<HostTouch, 'logtype' | 'fields'>,
  { src, dst, at }: Between,
): HostTouch => ({
  instance,
  logtype,
  fields: bounded(fields),
  at,
  srcHost: src.host,
  srcPort: src.port,
  dstHost: dst.host,
  dstPort: dst.port,
})
