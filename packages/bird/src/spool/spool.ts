// The durable spool: every event is on its way to the disk before its answer leaves, and stays there until the console has committed it.
// A killed process loses nothing (write(2) came first), a power cut at most the last 50 ms (fdatasync, grouped).
import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, unlinkSync, writeSync } from 'node:fs'
import type { Clock, Random } from '@rookery/kernel/world.ts'
import { hex } from '@rookery/kernel/ids.ts'
import { bounded } from '@rookery/kernel/bound.ts'
import type { SpooledEvent } from '@rookery/link/messages.ts'
import type { EventFields } from '@rookery/kernel/touch.ts'
import { cursor } from './cursor.ts'
import { makeRoom } from './overflow.ts'
import { encodeRecord } from './record.ts'
import { recover, writeSpoolId } from './recover.ts'
import { createSegment } from './segment.ts'

/** An event before it has its number. */
export type NewEvent = Omit<SpooledEvent, 'seq' | 'fields'> & { readonly fields: EventFields }

export interface Batch {
  readonly first: number
  readonly last: number
  /** The events as JSON texts, in order. */
  readonly events: readonly string[]
}

export interface SpoolOptions {
  readonly folder: string
  readonly clock: Clock
  readonly random: Random
  /** A sentence for the log: what was cut, damaged, dropped or cannot be written. */
  readonly report: (message: string) => void
  /** Called when a full spool dropped events; the answer is written into it. */
  readonly onOverflow?: (dropped: number, capBytes: number) => NewEvent
  /** Events that had to wait in memory are on the disk now. */
  readonly onWritten?: () => void
  readonly capBytes?: number
  readonly segmentBytes?: number
}

export interface Spool {
  id(): string
  /** Numbers the event and writes it, synchronously. While the disk refuses (full), it waits in memory, bounded, and is written when there is room. */
  append(event: NewEvent): number
  /** The events after number `after`, at most `maxEvents` and `maxBytes` of JSON but at least one; `undefined` when there is none. */
  read(after: number, maxEvents: number, maxBytes: number): Batch | undefined
  /** The console has everything up to and including `upto`: whole segments below it are deleted. */
  acknowledge(upto: number): void
  /**
   * What the console says it has, before anything is sent. At the first time after opening, more than the disk had then means that a power cut
   * or a restored copy took events which the console has, and that their numbers were given again: the spool takes a new id.
   */
  reconcile(upto: number): void
  acknowledged(): number
  /** The number that the next event will get. */
  next(): number
  /** Everything appended so far survives a power cut when it resolves. */
  flush(): Promise<void>
  close(): void
}

const SYNC_AFTER_MS = 25
const RETRY_MS = 1_000
const MAX_WAITING = 10_000

/** Opens or makes the spool. An `unavailable` fault names a folder that cannot be used, and why. */
export function openSpool(options: SpoolOptions): Spool {
  const {
    folder,
    clock,
    random,
    report,
    capBytes = 256 * 1024 * 1024,
    segmentBytes = 4 * 1024 * 1024,
  } = options
  const found = recover(folder, random, report)
  let { id, next, fd } = found
  const segments = found.segments
  const reader = cursor(segments, report)
  const lastFound = next - 1
  let isReconciled = false
  let acked = segments[0]!.first - 1
  const waiting: string[] = []
  let lost = 0
  let cancelSync: (() => void) | undefined
  let cancelRetry: (() => void) | undefined

  const active = () => segments.at(-1)!

  function write(json: string): void {
    const record = encodeRecord(json)
    if (!record) throw new RangeError('an event that is too long for the spool')
    const segment = active()
    let written = 0
    try {
      while (written < record.length)
        written += writeSync(fd, record, written, record.length - written, segment.bytes + written)
    } catch (error) {
      if (written > 0) ftruncateSync(fd, segment.bytes)
      throw error
    }
    segment.bytes += record.length
    cancelSync ??= clock.after(SYNC_AFTER_MS, sync)
  }

  function sync(): void {
    cancelSync = undefined
    fdatasync(fd, (error) => {
      // EBADF: the segment was closed, and synced, meanwhile.
      if (error && error.code !== 'EBADF')
        report(`The spool ${folder} cannot be synced to disk: ${error.message}`)
    })
  }

  /** Starts a new segment when the active one is full; makes room when all are. */
  function roll(): void {
    if (active().bytes < segmentBytes) return
    fdatasyncSync(fd)
    const made = createSegment(folder, active().number + 1, next)
    closeSync(fd)
    fd = made.fd
    segments.push(made.segment)
    const dropped = makeRoom(segments, capBytes)
    if (dropped === 0) return
    reader.reset()
    report(`The spool ${folder} was full (${capBytes} bytes): ${dropped} events were dropped.`)
    const event = options.onOverflow?.(dropped, capBytes)
    if (event) write(numbered(event))
  }

  const numbered = ({ fields, ...event }: NewEvent): string => {
    const seq = next++
    const json = JSON.stringify({ seq, ...event, fields })
    return json.length < 16 * 1024 ? json : JSON.stringify({ seq, ...event, fields: bounded(fields) })
  }

  function refuse(json: string, error?: unknown): void {
    if (error) report(`The spool ${folder} cannot be written: ${(error as Error).message}`)
    if (waiting.length < MAX_WAITING) waiting.push(json)
    else lost++
    cancelRetry ??= clock.after(RETRY_MS, retry)
  }

  function retry(): void {
    cancelRetry = undefined
    while (waiting.length > 0) {
      try {
        write(waiting[0]!)
      } catch {
        cancelRetry = clock.after(RETRY_MS, retry)
        return
      }
      waiting.shift()
      tryRoll()
    }
    report(`The spool ${folder} can be written again; ${lost} events were lost meanwhile.`)
    lost = 0
    options.onWritten?.()
  }

  function tryRoll(): void {
    try {
      roll()
    } catch (error) {
      report(`The spool ${folder} cannot begin a new segment: ${(error as Error).message}`)
    }
  }

  function acknowledge(upto: number): void {
    acked = Math.max(acked, Math.min(upto, next - 1))
    while (segments.length > 1 && segments[1]!.first <= acked + 1) unlinkSync(segments.shift()!.path)
  }

  return {
    id: () => id,
    append(event) {
      const json = numbered(event)
      const seq = next - 1
      if (waiting.length > 0) refuse(json)
      else {
        try {
          write(json)
          tryRoll()
        } catch (error) {
          refuse(json, error)
        }
      }
      return seq
    },
    read: (after, maxEvents, maxBytes) => reader.read(Math.max(after, acked), maxEvents, maxBytes),
    acknowledge,
    reconcile(upto) {
      if (!isReconciled && upto > lastFound) {
        id = hex(random, 32)
        writeSpoolId(folder, id)
        report(`The console knows more of the spool ${folder} than the disk: it goes on under a new id.`)
        acknowledge(lastFound)
      } else acknowledge(upto)
      isReconciled = true
    },
    acknowledged: () => acked,
    next: () => next,
    flush: () =>
      new Promise((resolve, reject) => {
        cancelSync?.()
        cancelSync = undefined
        fdatasync(fd, (error) => (error ? reject(error) : resolve()))
      }),
    close() {
      cancelSync?.()
      cancelRetry?.()
      fdatasyncSync(fd)
      closeSync(fd)
    },
  }
}
