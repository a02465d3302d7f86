// What a host reports, and between which addresses.
import type { Touch } from '@rookery/kernel/touch.ts'

/** A touch without its node: the host does not know on which Bird it runs. */
export type HostTouch = Omit<Touch, 'nodeId'>

export interface Endpoint {
  readonly host: string
  readonly port: number
}
