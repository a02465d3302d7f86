// Which events a full spool drops: those that repeat others first; then whole segments, oldest first.
import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import type { RepetitionFilter } from './event-count.ts'
import { recordGroup } from './record-group.ts'
import { scanSegment, type Segment } from './segment.ts'

/** A rewrite stops the event loop for as long as a segment takes to read: 20 to 80 ms. */
const REWRITES = 2

/**
 * Shrinks the spool below `capBytes`, without the last segment. Answers how many events were dropped. At most two segments
 * are rewritten, those with the most events that repeat; each that is not counted yet may have one.
 */
export function makeRoom(segments: Segment[], capBytes: number, repetitions: RepetitionFilter): number {
  let dropped = 0
  for (let rewrites = 0; total(segments) > capBytes && segments.length > 1; rewrites++) {
    const repeating = rewrites < REWRITES ? mostRepeating(segments.slice(0, -1)) : undefined
    dropped += repeating ? thin(repeating, repetitions()) : dropOldest(segments)
  }
  return dropped
}

const total = (segments: readonly Segment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)

function mostRepeating(segments: readonly Segment[]): Segment | undefined {
  let most: Segment | undefined
  for (const segment of segments) if (repeated(segment) > (most ? repeated(most) : 0)) most = segment
  return most
}

const repeated = ({ count }: Segment): number => count?.repeated ?? 1

function dropOldest(segments: Segment[]): number {
  const { path, count } = segments[0]!
  const events = count?.events ?? scanSegment(path)?.events.length ?? 0
  unlinkSync(path)
  segments.shift()
  return events
}

/** Rewrites a segment without the events that repeat; answers how many there were. */
function thin(segment: Segment, isRepeated: (json: string) => boolean): number {
  const events = scanSegment(segment.path)?.events ?? []
  const others = events.filter((json) => !isRepeated(json))
  if (others.length < events.length) segment.bytes = rewrite(segment, others)
  segment.count = { events: others.length, repeated: 0 }
  return events.length - others.length
}

/** Answers the bytes of the new file. */
function rewrite({ path, first }: Segment, events: readonly string[]): number {
  const temporary = `${path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  let bytes = 0
  try {
    const group = recordGroup()
    const write = (): void => void (bytes += writeSync(fd, group.take().records))
    for (const json of [JSON.stringify({ first }), ...events]) {
      group.add(json)
      if (group.isFull) write()
    }
    write()
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, path)
  return bytes
}
