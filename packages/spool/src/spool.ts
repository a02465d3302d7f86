// The durable spool: an event is written before the intruder is answered, and stays until the console has committed it.
// A killed process loses nothing, because write(2) came first. A power cut loses at most 50 ms, because fdatasync is grouped.
import { unlinkSync } from 'node:fs'
import type { Limit } from '@rookery/kernel/limit.ts'
import type { Clock, Random } from '@rookery/kernel/world.ts'
import { countRecovered } from './count-recovered.ts'
import { cursor, type Batch } from './cursor.ts'
import type { RepetitionFilter } from './event-count.ts'
import { eventWriter } from './event-writer.ts'
import { makeRoom } from './overflow.ts'
import { recover } from './recover.ts'
import { segmentWriter } from './segment-writer.ts'
import { keepSpoolId, newSpoolId, writeSpoolId, type SpoolId } from './spool-id.ts'

const SEGMENT_BYTES = 4 * 1024 * 1024
/** A longer event is shortened. */
const EVENT_CHARACTERS = 16 * 1024

/** `E` is an event without its number: an object of at least one member, which JSON keeps in their order. */
export interface SpoolOptions<E extends object> {
  readonly folder: string
  readonly clock: Clock
  readonly random: Random
  /** A sentence for the log: what was cut off, damaged or dropped, or cannot be written. */
  readonly report: (message: string) => void
  /** Bytes on disk. */
  readonly capacity: Limit
  /** Events that wait in memory while the disk refuses them. */
  readonly unwritten: Limit
  /** What a full spool drops first. */
  readonly repetitions: RepetitionFilter
  /** The JSON text of an event with its number as the first member; `JSON.stringify` without it. */
  readonly toJson?: (seq: number, event: E) => string
  /** Brings an event of more than 16 Ki characters below 48 KiB. */
  readonly shorten: (event: E) => E
  /** Called when a full spool has dropped events; the event that it answers is appended. */
  readonly onOverflow?: (dropped: number, capBytes: number) => E | undefined
  /** Events that waited in memory are on the disk now. */
  readonly onWritten?: () => void
  readonly segmentBytes?: number
}

export interface Spool<E extends object> {
  id(): string
  /** Numbers the event and writes it, synchronously. While the disk refuses, events wait in memory, up to a limit. */
  append(event: E): number
  /** The same for several events, in one write. */
  appendAll(events: readonly E[]): void
  /** The events behind number `after`: at most `maxEvents` and `maxBytes` of JSON, but at least one; undefined when there is none. */
  read(after: number, maxEvents: number, maxBytes: number): Batch | undefined
  /** The console has committed everything up to and including `upto`. Whole segments below it are deleted. */
  acknowledge(upto: number): void
  /**
   * The same, before anything is sent. `upto` may be higher than the last number on the disk when the spool was opened, or
   * than any number later: a power cut, a restored copy or a snapshot of the machine lost events that the console has, and
   * their numbers are given again. The spool then takes a new id.
   */
  reconcile(upto: number): void
  acknowledged(): number
  /** Stores how far it is acknowledged, which a later start otherwise knows by whole segments alone. */
  noteAcknowledged(): void
  /** The number of the next event. */
  next(): number
  /** Events that the console has not acknowledged. */
  size(): number
  /** Those of them that wait in memory, because the disk refuses them. */
  unwritten(): number
  /** Resolves when everything appended so far survives a power cut. */
  flush(): Promise<void>
  close(): void
}

/** Opens or makes the spool. An `unavailable` fault names a folder that cannot be used, and why. */
export function openSpool<E extends object>(options: SpoolOptions<E>): Spool<E> {
  const { folder, clock, random, report, capacity, segmentBytes = SEGMENT_BYTES } = options
  const { segments, fd, counter, ...recovered } = recover(options)
  const lastRecovered = recovered.spoolId.recovered
  const reader = cursor(segments, report)
  const writer = segmentWriter({ ...options, segments, fd, counter })
  const events = eventWriter({
    folder,
    writer,
    room: () => segmentBytes - segments.at(-1)!.bytes,
    onFull: startSegment,
    clock,
    capacity: options.unwritten,
    report,
    onWritten: () => options.onWritten?.(),
  })
  const stopCounting = countRecovered({
    ...options,
    segments,
    onError: (path, error) =>
      report(`The spool file ${path} cannot be read to count its events: ${(error as Error).message}`),
  })
  let spoolId: SpoolId = recovered.spoolId
  let { next } = recovered
  let acked = Math.min(next - 1, Math.max(segments[0]!.first - 1, spoolId.acknowledged))
  let isReconciled = false

  function appendAll(appended: readonly E[]): void {
    for (const event of appended) events.add(numberedJson(next++, event, options))
    events.write()
  }

  function startSegment(): void {
    let dropped = 0
    try {
      writer.startSegment(next)
      dropped = makeRoom(segments, capacity.max, options.repetitions)
    } catch (error) {
      report(
        `The spool ${folder} cannot start a new segment or drop an old one: ${(error as Error).message}. It tries again with the next event.`,
      )
    }
    if (dropped === 0) return
    capacity.hit()
    reader.reset()
    report(`The spool ${folder} was full (${capacity.max} bytes): ${dropped} events were dropped.`)
    const event = options.onOverflow?.(dropped, capacity.max)
    if (event) appendAll([event])
  }

  function acknowledge(upto: number): void {
    acked = Math.max(acked, Math.min(upto, next - 1))
    while (segments.length > 1 && segments[1]!.first <= acked + 1) unlinkSync(segments.shift()!.path)
  }

  return {
    id: () => spoolId.id,
    append(event) {
      const seq = next
      appendAll([event])
      return seq
    },
    appendAll,
    read: (after, maxEvents, maxBytes) => reader.read(Math.max(after, acked), maxEvents, maxBytes),
    acknowledge,
    reconcile(upto) {
      // The console may know more numbers than were ever given: after a power cut, or where the machine went back to a snapshot.
      const known = isReconciled ? next - 1 : lastRecovered
      const isLost = upto > known
      const settled = isReconciled ? acked : lastRecovered
      if (isLost) {
        const fresh = newSpoolId(random, settled)
        writeSpoolId(folder, fresh)
        spoolId = fresh
        report(
          `The console has events that the spool ${folder} has lost: the spool continues under a new id.`,
        )
      } else if (!isReconciled) keepSpoolId(folder, { ...spoolId, recovered: undefined }, report)
      isReconciled = true
      acknowledge(isLost ? settled : upto)
    },
    acknowledged: () => acked,
    noteAcknowledged() {
      spoolId = { ...spoolId, acknowledged: acked }
      keepSpoolId(folder, spoolId, report)
    },
    next: () => next,
    size: () => next - 1 - acked,
    unwritten: events.unwritten,
    flush: writer.flush,
    close() {
      stopCounting()
      events.stop()
      writer.close()
    },
  }
}

function numberedJson<E extends object>(
  seq: number,
  event: E,
  { shorten, toJson = stringify }: Pick<SpoolOptions<E>, 'shorten' | 'toJson'>,
): string {
  const json = toJson(seq, event)
  return json.length < EVENT_CHARACTERS ? json : toJson(seq, shorten(event))
}

const stringify = (seq: number, event: object): string => JSON.stringify({ seq, ...event })
