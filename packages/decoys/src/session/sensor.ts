// What a service notices without a session: packets that reach no listener, or connections to every decoy.
import type { EventFields } from '@rookery/kernel/touch.ts'
import type { Endpoint } from '../host/host-touch.ts'

/** An event, and between whom it happened; a port is -1 where there are several. */
export interface SensorEvent {
  readonly logtype: string
  readonly fields: EventFields
  readonly src: Endpoint
  readonly dst: Endpoint
}

/** Notices what it can of the connections to decoys; the host asks `due` when `nextAt` has come. */
export interface ConnectionWatch {
  add(src: Endpoint, dst: Endpoint, now: number): void
  due(now: number): readonly SensorEvent[]
  nextAt(): number | undefined
}

/** By which way a sensor notices: by the packets themselves, or by the connections to decoys. */
export type SensorWay = 'packets' | 'connections'

export interface Sensor {
  /** The service instance, such as `portscan`. */
  readonly instance: string
  /** `<thread>.worker`, next to the file of `from`: it reads packets by itself (`host/sensors/capture.ts`), where the system allows it. */
  readonly capture: { readonly thread: string; readonly from: string }
  /** Where the system does not. */
  readonly watchConnections: () => ConnectionWatch
}

/** What a host says of a sensor that is on. */
export interface SensorStatus {
  readonly instance: string
  readonly way: SensorWay
  /** What it does not see: why it has no packets, and what would give them, or which ports are not watched; empty while it sees all. */
  readonly reason: string
}

/** TCP ports that the host has bound, each with its logical one. */
export type BoundPorts = readonly (readonly [bound: number, logical: number])[]

/** What a capturing thread is started with. */
export interface CaptureData {
  readonly ports: BoundPorts
  /** The address on which the decoys listen. */
  readonly bind: string
}

/** What it is sent: the ports that are bound now, or that it shall end. */
export type ToCapture = { readonly type: 'ports'; readonly ports: BoundPorts } | { readonly type: 'stop' }

/** What it sends. After `failed` it ends. */
export type FromCapture =
  | { readonly type: 'open' }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'event'; readonly event: SensorEvent }
