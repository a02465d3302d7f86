// Segment files, `000001.log` and so on: a head record, then the events in order.
import { closeSync, fsyncSync, openSync, readFileSync, readSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectory } from './durable-files.ts'
import type { EventCount } from './event-count.ts'
import { MAX_RECORD_JSON, recordAt, RECORD_HEADER, seqOf, writeRecord } from './record.ts'

export interface Segment {
  readonly path: string
  readonly number: number
  /** The number of its first event, or a lower one: the overflow may have dropped that event. */
  readonly first: number
  bytes: number
  /** Undefined until the events of an earlier run are counted. */
  count?: EventCount
}

/** More than a head record takes. */
const HEAD_BYTES = 64
const NAME = /^(\d{6,})\.log$/
export const segmentNumber = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0)
const segmentName = (number: number): string => `${String(number).padStart(6, '0')}.log`

function head(first: number): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES)
  return bytes.subarray(0, writeRecord(JSON.stringify({ first }), bytes, 0))
}

/** Makes a segment whose directory entry survives a power cut. `fd` is open for writing. */
export function createSegment(
  folder: string,
  number: number,
  first: number,
): { segment: Segment; fd: number } {
  const path = join(folder, segmentName(number))
  const temporary = `${path}.new`
  const fd = openSync(temporary, 'w', 0o600)
  try {
    const bytes = head(first)
    writeSync(fd, bytes)
    fsyncSync(fd)
    renameSync(temporary, path)
    syncDirectory(folder)
    return { segment: { path, number, first, bytes: bytes.length }, fd }
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** The content of a segment file. `goodBytes` ends before the first damaged or torn record, or is the file's length. */
export interface Scan {
  readonly first: number
  readonly last: number
  readonly events: readonly string[]
  readonly goodBytes: number
  readonly totalBytes: number
}

/** Reads a whole segment; undefined when its head is damaged. */
export function scanSegment(path: string): Scan | undefined {
  const bytes = readFileSync(path)
  const start = recordAt(bytes, 0)
  if (typeof start === 'string') return undefined
  const first = firstOf(start.json)
  const events: string[] = []
  let last = first - 1
  let offset = start.end
  for (;;) {
    const record = recordAt(bytes, offset)
    if (typeof record === 'string') break
    const seq = seqOf(record.json)
    if (seq <= last) break
    last = seq
    events.push(record.json)
    offset = record.end
  }
  return { first, last, events, goodBytes: offset, totalBytes: bytes.length }
}

/** The number in the segment's head; undefined when the head is damaged. */
export function readHead(path: string): number | undefined {
  const bytes = readChunk(path, 0, HEAD_BYTES)
  const record = recordAt(bytes, 0)
  return typeof record === 'string' ? undefined : firstOf(record.json)
}

function firstOf(json: string): number {
  const { first } = JSON.parse(json) as { first?: unknown }
  return typeof first === 'number' ? first : 1
}

const CHUNK = 256 * 1024 + RECORD_HEADER + MAX_RECORD_JSON
const chunk = Buffer.allocUnsafe(CHUNK)

/** At most `length` bytes of the file from `offset`, in a buffer that the next call overwrites. */
export function readChunk(path: string, offset: number, length = CHUNK): Buffer {
  const fd = openSync(path, 'r')
  try {
    return chunk.subarray(0, readSync(fd, chunk, 0, Math.min(length, CHUNK), offset))
  } finally {
    closeSync(fd)
  }
}
