// Reads the spool in order. A read that follows the last one continues there; any other starts at the start of its segment.
import { recordAt, seqOf } from './record.ts'
import { readChunk, type Segment } from './segment.ts'

export interface Batch {
  readonly first: number
  readonly last: number
  /** The events as JSON texts, in order. */
  readonly events: readonly string[]
}

interface Position {
  segment: Segment
  offset: number
}

export function cursor(segments: readonly Segment[], report: (message: string) => void) {
  /** Behind the event numbered `seq`. */
  let last: (Position & { readonly seq: number }) | undefined

  function seek(after: number): Position {
    if (last?.seq === after && segments.includes(last.segment)) return { ...last }
    let segment = segments[0]!
    for (const candidate of segments) if (candidate.first <= after + 1) segment = candidate
    return { segment, offset: 0 }
  }

  /** The records from `position` on, which moves behind each one once the next is asked for. */
  function* records(position: Position): Generator<{ readonly json: string; readonly bytes: number }> {
    for (;;) {
      const { segment, offset } = position
      if (offset >= segment.bytes) {
        const following = segments[segments.indexOf(segment) + 1]
        if (!following) return
        position.segment = following
        position.offset = 0
        continue
      }
      const chunk = readChunk(segment.path, offset, segment.bytes - offset)
      for (let at = 0; ; at = position.offset - offset) {
        const record = recordAt(chunk, at)
        if (record === 'short' && at > 0) break
        if (typeof record === 'string') {
          report(
            `The spool file ${segment.path} is damaged at byte ${position.offset}; the rest of the file is skipped.`,
          )
          position.offset = segment.bytes
          break
        }
        const bytes = record.end - at
        yield { json: record.json, bytes }
        position.offset += bytes
      }
    }
  }

  return {
    read(after: number, maxEvents: number, maxBytes: number): Batch | undefined {
      const position = seek(after)
      const events: string[] = []
      let size = 0
      let first = 0
      let seq = after
      for (const { json, bytes } of records(position)) {
        // Head records have no number; events up to `after` are skipped.
        if (seqOf(json) <= seq) continue
        if (events.length > 0 && (events.length >= maxEvents || size + bytes > maxBytes)) break
        seq = seqOf(json)
        first ||= seq
        size += bytes
        events.push(json)
      }
      last = { ...position, seq }
      return events.length > 0 ? { first, last: seq, events } : undefined
    },
    /** The segments have changed: the next read looks its position up. */
    reset() {
      last = undefined
    },
  }
}
