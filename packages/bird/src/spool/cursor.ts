// Reads the spool in order. Who asks for what follows the last answer goes on where it ended; anything else is looked up from its segment's start.
import { recordAt, seqOf } from './record.ts'
import { readChunk, type Segment } from './segment.ts'
import type { Batch } from './spool.ts'

export interface Cursor {
  read(after: number, maxEvents: number, maxBytes: number): Batch | undefined
  /** The segments have changed below it: look the next question up anew. */
  reset(): void
}

export function cursor(segments: readonly Segment[], report: (message: string) => void): Cursor {
  let place: { segment: Segment; offset: number; last: number } | undefined

  function seek(after: number): { segment: Segment; offset: number; last: number } {
    if (place?.last === after && segments.includes(place.segment)) return place
    let segment = segments[0]!
    for (const candidate of segments) if (candidate.first <= after + 1) segment = candidate
    return { segment, offset: 0, last: after }
  }

  return {
    read(after, maxEvents, maxBytes) {
      let { segment, offset } = seek(after)
      const events: string[] = []
      let size = 0
      let first = 0
      let last = after
      reading: for (;;) {
        const length = segment.bytes - offset
        if (length <= 0) {
          const following = segments[segments.indexOf(segment) + 1]
          if (!following) break
          segment = following
          offset = 0
          continue
        }
        const bytes = readChunk(segment.path, offset, length)
        let at = 0
        for (;;) {
          const record = recordAt(bytes, at)
          if (record === 'short' && at > 0) break
          if (typeof record === 'string') {
            report(
              `The spool's ${segment.path} is damaged at byte ${offset}; the rest of that file is skipped.`,
            )
            at = length
            break
          }
          const seq = seqOf(record.json)
          if (seq > last) {
            const bytesMore = record.end - at
            if (events.length > 0 && (events.length >= maxEvents || size + bytesMore > maxBytes)) {
              offset += at
              break reading
            }
            first ||= seq
            last = seq
            size += bytesMore
            events.push(record.json)
          }
          at = record.end
        }
        offset += at
      }
      place = { segment, offset, last }
      return events.length > 0 ? { first, last, events } : undefined
    },
    reset() {
      place = undefined
    },
  }
}
