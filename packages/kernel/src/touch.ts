// A touch: someone used a decoy or a token. Birds and token channels send touches to the console's ingest.

export type EventValue =
  | string
  | number
  | boolean
  | readonly EventValue[]
  | { readonly [key: string]: EventValue }

/** What the event of a touch holds besides its time (specification 2.2). */
export type EventFields = Readonly<Record<string, EventValue>>

export interface Touch {
  /** The Bird or token that was touched. */
  readonly nodeId: string
  readonly logtype: string
  /** The service instance (`ssh`, `tcpbanner_3`); the kind for tokens. Part of the aggregation key. */
  readonly instance: string
  /** When it happened, milliseconds UTC, corrected for the Bird's clock. Do not assume that it lies in the past. */
  readonly at: number
  readonly srcHost: string
  /** 0…65535, or -1 when unknown. */
  readonly srcPort: number
  readonly dstHost: string
  /** The logical port (22, never 20022), or -1. */
  readonly dstPort: number
  readonly fields: EventFields
}
