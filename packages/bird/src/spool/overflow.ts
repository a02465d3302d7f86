// Which events a full spool drops: port scans first, oldest first, because they repeat; then whole segments, oldest first.
import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { encodeRecord, logtypeOf } from './record.ts'
import { scanSegment, type Segment } from './segment.ts'

/** Port scans, 5001 to 5012: a later event of the same scan repeats the earlier one. */
const isRepeating = (json: string): boolean => {
  const logtype = Number(logtypeOf(json))
  return logtype >= 5001 && logtype <= 5012 && logtype !== 5010
}

const thinned = new WeakSet<Segment>()

/** Shrinks the spool below `capBytes`, without the last segment. Answers how many events were dropped. */
export function makeRoom(segments: Segment[], capBytes: number): number {
  let dropped = 0
  while (total(segments) > capBytes && segments.length > 1) {
    const closed = segments.slice(0, -1)
    const unthinned = closed.find((segment) => !thinned.has(segment))
    if (unthinned) dropped += thin(unthinned)
    else {
      const [oldest] = segments.splice(0, 1)
      dropped += scanSegment(oldest!.path)?.events.length ?? 0
      unlinkSync(oldest!.path)
    }
  }
  return dropped
}

const total = (segments: readonly Segment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)

/** Rewrites a segment without its port scans; answers how many there were. */
function thin(segment: Segment): number {
  thinned.add(segment)
  const scan = scanSegment(segment.path)
  const others = scan?.events.filter((json) => !isRepeating(json)) ?? []
  if (!scan || others.length === scan.events.length) return 0
  const temporary = `${segment.path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  let bytes = 0
  try {
    for (const json of [JSON.stringify({ first: segment.first }), ...others]) {
      bytes += writeSync(fd, encodeRecord(json)!)
    }
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, segment.path)
  segment.bytes = bytes
  return scan.events.length - others.length
}
