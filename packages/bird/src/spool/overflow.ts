// What a full spool gives up: first what repeats itself (port scans), oldest first; then the oldest segments whole.
import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { encodeRecord, logtypeOf } from './record.ts'
import { scanSegment, type Segment } from './segment.ts'

/** Port scans, 5001 to 5012: a later event of the same scan says the same and more. */
const isRepeating = (json: string): boolean => {
  const logtype = Number(logtypeOf(json))
  return logtype >= 5001 && logtype <= 5012 && logtype !== 5010
}

const thinned = new WeakSet<Segment>()

/** Shrinks the spool below `capBytes`, never touching the last segment. Answers how many events were given up. */
export function makeRoom(segments: Segment[], capBytes: number): number {
  let dropped = 0
  while (total(segments) > capBytes && segments.length > 1) {
    const closed = segments.slice(0, -1)
    const repeating = closed.find((segment) => !thinned.has(segment))
    if (repeating) dropped += thin(repeating)
    else {
      const [oldest] = segments.splice(0, 1)
      dropped += scanSegment(oldest!.path)?.events.length ?? 0
      unlinkSync(oldest!.path)
    }
  }
  return dropped
}

const total = (segments: readonly Segment[]): number => segments.reduce((sum, { bytes }) => sum + bytes, 0)

/** Rewrites a segment without its repeating events. */
function thin(segment: Segment): number {
  thinned.add(segment)
  const scan = scanSegment(segment.path)
  const kept = scan?.events.filter((json) => !isRepeating(json)) ?? []
  if (!scan || kept.length === scan.events.length) return 0
  const temporary = `${segment.path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  let bytes = 0
  try {
    for (const json of [JSON.stringify({ first: segment.first }), ...kept]) {
      bytes += writeSync(fd, encodeRecord(json)!)
    }
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(temporary, segment.path)
  segment.bytes = bytes
  return scan.events.length - kept.length
}
