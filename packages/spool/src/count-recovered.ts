// Counts the events of segments that an earlier run has closed, a chunk at a time, so that the event loop serves others in between.
import type { Clock } from '@rookery/kernel/world.ts'
import { eventCounter, type RepetitionFilter } from './event-count.ts'
import { recordAt, seqOf } from './record.ts'
import { readChunk, type Segment } from './segment.ts'

/** Four times as long as a chunk takes. */
const PAUSE_MS = 20

export interface CountRecoveredOptions {
  /** All but the last are counted, oldest first. Those that are dropped meanwhile are skipped. */
  readonly segments: readonly Segment[]
  readonly repetitions: RepetitionFilter
  readonly clock: Clock
  /** The system's error. The segment is counted when the spool is full. */
  readonly onError: (path: string, error: unknown) => void
}

/** Starts to count; the answer stops it. */
export function countRecovered({ segments, clock, ...options }: CountRecoveredOptions): () => void {
  const chunks = segments.slice(0, -1).values().flatMap(chunksOf)
  let cancel = (): void => undefined

  function* chunksOf(segment: Segment): Generator<void> {
    try {
      yield* countChunks(segment, () => segments.includes(segment), options.repetitions)
    } catch (error) {
      options.onError(segment.path, error)
    }
  }

  function next(): void {
    if (!chunks.next().done) cancel = clock.after(PAUSE_MS, next)
  }
  if (segments.length > 1) cancel = clock.after(PAUSE_MS, next)
  return () => cancel()
}

/** Counts a chunk at each step; stops where the file is damaged, or the segment is gone or was counted otherwise. */
function* countChunks(
  segment: Segment,
  isKept: () => boolean,
  repetitions: RepetitionFilter,
): Generator<void> {
  const counter = eventCounter(repetitions)
  let offset = 0
  while (offset < segment.bytes) {
    if (!isKept() || segment.count) return
    const chunk = readChunk(segment.path, offset, segment.bytes - offset)
    const start = offset
    for (;;) {
      const record = recordAt(chunk, offset - start)
      if (typeof record === 'string') break
      offset = start + record.end
      if (seqOf(record.json) > 0) counter.add(record.json)
    }
    if (offset === start) break
    yield
  }
  segment.count ??= counter.count
}
