// Appends records to the last segment, and syncs them to disk in groups.
import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, writeSync } from 'node:fs'
import type { Clock } from '@rookery/kernel/world.ts'
import { eventCounter, type EventCounter, type RepetitionFilter } from './event-count.ts'
import { createSegment, type Segment } from './segment.ts'

/** From the first record that is not synced to the sync; with the sync's own time it stays below 50 ms. */
const SYNC_AFTER_MS = 25

export interface SegmentWriterOptions {
  readonly folder: string
  /** The last one is open as `fd`; new ones are added. */
  readonly segments: Segment[]
  readonly fd: number
  /** Counts the events of the last segment. */
  readonly counter: EventCounter
  readonly repetitions: RepetitionFilter
  readonly clock: Clock
  readonly report: (message: string) => void
}

export function segmentWriter({ folder, segments, clock, report, ...options }: SegmentWriterOptions) {
  let { fd, counter } = options
  let cancelSync: (() => void) | undefined

  function sync(): void {
    cancelSync = undefined
    fdatasync(fd, (error) => {
      // EBADF: the segment was synced and closed meanwhile.
      if (error && error.code !== 'EBADF')
        report(`The spool ${folder} cannot be synced to disk: ${error.message}`)
    })
  }

  return {
    /** One record or several, and their JSON. Throws the system's error, with nothing written. */
    write(records: Buffer, events: readonly string[]) {
      const segment = segments.at(-1)!
      let written = 0
      try {
        while (written < records.length)
          written += writeSync(fd, records, written, records.length - written, segment.bytes + written)
      } catch (error) {
        if (written > 0) ftruncateSync(fd, segment.bytes)
        throw error
      }
      segment.bytes += records.length
      for (const json of events) counter.add(json)
      cancelSync ??= clock.after(SYNC_AFTER_MS, sync)
    },
    /** Begins a new segment, whose first event has the number `first`. */
    startSegment(first: number) {
      fdatasyncSync(fd)
      const made = createSegment(folder, segments.at(-1)!.number + 1, first)
      closeSync(fd)
      fd = made.fd
      counter = eventCounter(options.repetitions)
      segments.push({ ...made.segment, count: counter.count })
    },
    /** Resolves when every record survives a power cut. */
    flush: (): Promise<void> =>
      new Promise((resolve, reject) => {
        cancelSync?.()
        cancelSync = undefined
        fdatasync(fd, (error) => (error ? reject(error) : resolve()))
      }),
    close() {
      cancelSync?.()
      fdatasyncSync(fd)
      closeSync(fd)
    },
  }
}

export type SegmentWriter = ReturnType<typeof segmentWriter>
