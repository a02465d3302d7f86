// Writes events in groups to the last segment. What the disk refuses waits in memory, and all that comes behind it.
import type { Limit } from '@rookery/kernel/limit.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { isTooLong } from './record.ts'
import { recordGroup, type GroupedRecords } from './record-group.ts'
import type { SegmentWriter } from './segment-writer.ts'
import { unwrittenEvents } from './unwritten-events.ts'

export interface EventWriterOptions {
  readonly folder: string
  readonly writer: Pick<SegmentWriter, 'write'>
  /** Bytes for which the last segment has room. */
  readonly room: () => number
  /** The last segment is full; the next event has the next number. */
  readonly onFull: () => void
  readonly clock: Clock
  readonly capacity: Limit
  readonly report: (message: string) => void
  /** Events that waited are on the disk now. */
  readonly onWritten: () => void
}

export function eventWriter(options: EventWriterOptions) {
  const { folder, writer, room, onFull, clock, capacity, report } = options
  const group = recordGroup()
  const unwritten = unwrittenEvents({
    clock,
    capacity,
    write(json) {
      group.add(json)
      writeRecords(group.take())
    },
    onWritten(lost) {
      report(`The spool ${folder} can be written again; ${lost} events were lost meanwhile.`)
      options.onWritten()
    },
  })

  function writeRecords({ records, events }: GroupedRecords): void {
    writer.write(records, events)
    if (room() <= 0) onFull()
  }

  function write(): void {
    if (group.length === 0) return
    const taken = group.take()
    try {
      writeRecords(taken)
    } catch (error) {
      report(
        `The spool ${folder} cannot be written: ${(error as Error).message}. Events wait in memory; retrying every second.`,
      )
      for (const json of taken.events) unwritten.add(json)
    }
  }

  return {
    /** Takes the JSON of an event; it is written with the others of its group. */
    add(json: string) {
      if (isTooLong(json))
        report(`An event of ${json.length} characters is too long for the spool and was dropped.`)
      else if (unwritten.size() > 0) unwritten.add(json)
      else group.add(json)
      if (group.isFull || group.length >= room()) write()
    },
    /** Writes the group. */
    write,
    /** Events that wait in memory, because the disk refuses them. */
    unwritten: unwritten.size,
    stop: unwritten.stop,
  }
}
