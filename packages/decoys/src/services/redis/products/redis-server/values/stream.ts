// A stream: entries in the order of their ids.

/** Milliseconds and a sequence number. */
export type StreamId = readonly [ms: bigint, sequence: bigint]

export interface StreamEntry {
  readonly id: StreamId
  /** Names and values in turn. */
  readonly fields: readonly string[]
}

/** `added`: entries so far, deleted ones too. */
export interface Stream {
  entries: StreamEntry[]
  lastId: StreamId
  added: number
  /** The highest id that was deleted. */
  maxDeletedId: StreamId
}

const MOST = 2n ** 64n - 1n
export const FIRST_ID: StreamId = [0n, 0n]
export const LAST_ID: StreamId = [MOST, MOST]

export const newStream = (): Stream => ({
  entries: [],
  lastId: FIRST_ID,
  added: 0,
  maxDeletedId: FIRST_ID,
})

export const compareIds = (a: StreamId, b: StreamId): number =>
  a[0] === b[0] ? (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0) : a[0] < b[0] ? -1 : 1

export const idText = ([ms, sequence]: StreamId): string => `${ms}-${sequence}`

export const nextId = ([ms, sequence]: StreamId): StreamId =>
  sequence < MOST ? [ms, sequence + 1n] : [ms + 1n, 0n]
export const previousId = ([ms, sequence]: StreamId): StreamId =>
  sequence > 0n ? [ms, sequence - 1n] : [ms - 1n, MOST]

/** `1-2`, or `1` with the sequence number that the place gives it; undefined when it is none. */
export function parseId(text: string | undefined, missingSequence: bigint): StreamId | undefined {
  // As `strtoull` reads numbers, but a minus.
  const [, ms, sequence] = /^[ \t-\r]*\+?(\d{1,20})(?:-[ \t-\r]*\+?(\d{1,20}))?$/.exec(text ?? '') ?? []
  if (ms === undefined) return undefined
  const id: StreamId = [BigInt(ms), sequence === undefined ? missingSequence : BigInt(sequence)]
  return id[0] <= MOST && id[1] <= MOST ? id : undefined
}

/** The server puts so many entries into a node; its nodes hang in a radix tree. */
export const NODE_ENTRIES = 100

/** As large as it is where ids follow each other, and no node was left with fewer entries. */
export function treeOf({ entries }: Stream): { readonly keys: number; readonly nodes: number } {
  const keys = Math.ceil(entries.length / NODE_ENTRIES)
  return { keys, nodes: keys < 2 ? keys + 1 : 2 + 2 * keys }
}
