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
  /** Entries of the stream up to `lastId`, deleted ones too; undefined when the server cannot know. */
  entriesRead: number | undefined
  /** When each was seen last. */
  readonly consumers: Map<string, number>
  /** Entries that were read and not acknowledged, by the id's text. */
  readonly pending: Map<string, PendingEntry>
}

export interface PendingEntry {
  readonly consumer: string
  readonly id: StreamId
  readonly deliveredAt: number
  readonly deliveries: number
}

/** `added`: entries so far, deleted ones too. */
export interface Stream {
  entries: StreamEntry[]
  /** Deleted entries that share a node with others: a server keeps them. */
  deleted: StreamEntry[]
  lastId: StreamId
  added: number
  /** The highest id that was deleted. */
  maxDeletedId: StreamId
  readonly groups: Map<string, StreamGroup>
}

const MOST = 2n ** 64n - 1n
export const FIRST_ID: StreamId = [0n, 0n]
export const LAST_ID: StreamId = [MOST, MOST]

export const newStream = (): Stream => ({
  entries: [],
  deleted: [],
  lastId: FIRST_ID,
  added: 0,
  maxDeletedId: FIRST_ID,
  groups: new Map(),
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

/** Whether an entry at or behind the id was deleted. */
const hasGaps = ({ entries, maxDeletedId }: Stream, from: StreamId): boolean =>
  entries.length > 0 && compareIds(maxDeletedId, FIRST_ID) !== 0 && compareIds(from, maxDeletedId) <= 0

/** How many entries there ever were up to the id, as far as a server knows it without counting. */
function countUpTo(stream: Stream, id: StreamId): number | undefined {
  const { entries, added, lastId, maxDeletedId } = stream
  const first = entries[0]
  if (added === 0) return 0
  if (!first && compareIds(id, lastId) <= 0) return added
  if (compareIds(id, maxDeletedId) < 0) return undefined
  if (compareIds(id, lastId) === 0) return added
  if (!first || compareIds(id, lastId) > 0 || compareIds(maxDeletedId, first.id) >= 0) return undefined
  const place = compareIds(id, first.id)
  return place > 0 ? undefined : added - entries.length + (place === 0 ? 1 : 0)
}

/** The group has read up to this entry. */
export function advance(group: StreamGroup, stream: Stream, id: StreamId): void {
  group.entriesRead =
    group.entriesRead !== undefined && !hasGaps(stream, id) ? group.entriesRead + 1 : countUpTo(stream, id)
  group.lastId = id
}

/** Entries that a group has not read. */
export function lagOf(stream: Stream, { entriesRead, lastId }: StreamGroup): number | undefined {
  const { added } = stream
  if (added === 0) return 0
  const read = entriesRead !== undefined && !hasGaps(stream, lastId) ? entriesRead : countUpTo(stream, lastId)
  return read === undefined ? undefined : added - read
}

const PENDING_WORK = 8

/** What it takes to look at all of its entries, and at those that are pending in their order. */
export function weightOfStream({ entries, deleted, groups }: Stream): number {
  let weight = entries.length + deleted.length
  for (const { pending } of groups.values()) weight += 1 + pending.size * PENDING_WORK
  return weight
}

/** In the order of their ids. */
export const pendingOf = ({ pending }: StreamGroup): PendingEntry[] =>
  [...pending.values()].sort((a, b) => compareIds(a.id, b.id))
