// A stream: entries in the order of their ids, and groups of consumers that read them.

/** Milliseconds and a sequence number. */
export type StreamId = readonly [ms: bigint, sequence: bigint]

export interface StreamEntry {
  readonly id: StreamId
  /** Names and values in turn. */
  readonly fields: readonly string[]
}

export interface StreamGroup {
  lastId: StreamId
  readonly consumers: Set<string>
  /** Entries that were read and not acknowledged: the consumer by the id's text. */
  readonly pending: Map<string, { readonly consumer: string; readonly id: StreamId }>
}

export interface Stream {
  entries: StreamEntry[]
  lastId: StreamId
  readonly groups: Map<string, StreamGroup>
}

const MOST = 2n ** 64n - 1n
export const FIRST_ID: StreamId = [0n, 0n]
export const LAST_ID: StreamId = [MOST, MOST]

export const newStream = (): Stream => ({ entries: [], lastId: FIRST_ID, groups: new Map() })

export const compareIds = (a: StreamId, b: StreamId): number =>
  a[0] === b[0] ? (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0) : a[0] < b[0] ? -1 : 1

export const idText = ([ms, sequence]: StreamId): string => `${ms}-${sequence}`

export const nextId = ([ms, sequence]: StreamId): StreamId =>
  sequence < MOST ? [ms, sequence + 1n] : [ms + 1n, 0n]
export const previousId = ([ms, sequence]: StreamId): StreamId =>
  sequence > 0n ? [ms, sequence - 1n] : [ms - 1n, MOST]

/** `1-2`, or `1` with the sequence number that the place gives it; undefined when it is none. */
export function parseId(text: string | undefined, missingSequence: bigint): StreamId | undefined {
  const [, ms, sequence] = /^(\d{1,20})(?:-(\d{1,20}))?$/.exec(text ?? '') ?? []
  if (ms === undefined) return undefined
  const id: StreamId = [BigInt(ms), sequence === undefined ? missingSequence : BigInt(sequence)]
  return id[0] <= MOST && id[1] <= MOST ? id : undefined
}
