// Which events a full spool drops: those that repeat others first, oldest first; then whole segments, oldest first.
import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { recordGroup } from './record-group.ts'
import { scanSegment, type Segment } from './segment.ts'

/** Made for one segment, whose events it is asked about in order: whether one repeats another, as JSON. */
export type RepetitionFilter = () => (json: string) => boolean

const thinned = new WeakSet<Segment>()

/** Shrinks the spool below `capBytes`, without the last segment. Answers how many events were dropped. */
export function makeRoom(segments: Segment[], capBytes: number, repetitions: RepetitionFilter): number {
  let dropped = 0
  while (total(segments) > capBytes && segments.length > 1) {
    const closed = segments.slice(0, -1)
    const unthinned = closed.find((segment) => !thinned.has(segment))
    if (unthinned) dropped += thin(unthinned, repetitions())
    else {
      const [oldest] = segments.splice(0, 1)
      dropped += scanSegment(oldest!.path)?.events.length ?? 0
      unlinkSync(oldest!.path)
    }
  }
  return dropped
}

const total = (segments: readonly Segment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)

/** Rewrites a segment without the events that repeat; answers how many there were. */
function thin(segment: Segment, isRepeated: (json: string) => boolean): number {
  thinned.add(segment)
  const scan = scanSegment(segment.path)
  const others = scan?.events.filter((json) => !isRepeated(json)) ?? []
  if (!scan || others.length === scan.events.length) return 0
  const temporary = `${segment.path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  let bytes = 0
  try {
    const group = recordGroup()
    const write = (): void => void (bytes += writeSync(fd, group.take().records))
    for (const json of [JSON.stringify({ first: segment.first }), ...others]) {
      group.add(json)
      if (group.isFull) write()
    }
    write()
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, segment.path)
  segment.bytes = bytes
  return scan.events.length - others.length
}
