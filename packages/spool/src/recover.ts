// Opens what an earlier run left on the disk: cuts torn tails, sets damaged files aside, and reports both.
import { openSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Random } from '@rookery/kernel/world.ts'
import { makeDirectory } from './durable-files.ts'
import { eventCounter, type EventCounter, type RepetitionFilter } from './event-count.ts'
import { createSegment, readHead, scanSegment, segmentNumber, type Segment } from './segment.ts'
import { keepSpoolId, newSpoolId, readSpoolId, type SpoolId } from './spool-id.ts'

export interface Recovered {
  readonly spoolId: SpoolId & { readonly recovered: number }
  readonly segments: Segment[]
  /** The last segment, open for writing. */
  readonly fd: number
  /** Counts the events of the last segment. */
  readonly counter: EventCounter
  /** The number of the next event. */
  readonly next: number
}

/** More than the events of one segment: a damaged file may contain their numbers, which are not given a second time. */
const SKIPPED_NUMBERS = 1_000_000

export interface RecoverOptions {
  readonly folder: string
  readonly random: Random
  readonly report: (message: string) => void
  readonly repetitions: RepetitionFilter
}

export function recover(options: RecoverOptions): Recovered {
  const { folder } = options
  try {
    makeDirectory(folder)
    return openSegments(options)
  } catch (error) {
    if (error instanceof Fault) throw error
    throw new Fault('unavailable', `The spool folder ${folder} cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function openSegments({ folder, random, report, repetitions }: RecoverOptions): Recovered {
  const names = readdirSync(folder)
  for (const name of names) if (name.endsWith('.new')) rmSync(join(folder, name))
  const numbers = names
    .map(segmentNumber)
    .filter((number) => number > 0)
    .sort((a, b) => a - b)
  const segments: Segment[] = []
  let isDamaged = false
  for (const number of numbers) {
    const path = join(
      folder,
      names.find((name) => segmentNumber(name) === number)!,
    )
    const first = readHead(path)
    if (first === undefined) {
      renameSync(path, `${path}.damaged`)
      report(`The spool file ${path} has no readable head; it is set aside as ${path}.damaged.`)
      isDamaged = true
    } else {
      segments.push({ path, number, first, bytes: statSync(path).size })
    }
  }
  const known = readSpoolId(folder) ?? newSpoolId(random, 0)
  const newest = segments.at(-1)
  const scan = newest && scanSegment(newest.path)
  if (newest && scan && scan.goodBytes < scan.totalBytes) {
    truncateSync(newest.path, scan.goodBytes)
    newest.bytes = scan.goodBytes
    report(
      `The spool file ${newest.path} ended in a torn record; ${scan.totalBytes - scan.goodBytes} bytes were cut off.`,
    )
  }
  const next = (scan ? scan.last : 0) + 1 + (isDamaged ? SKIPPED_NUMBERS : 0)
  // Until the console has said what it has, a start after a power cut may give numbers that it knows a second time.
  const spoolId = { ...known, recovered: known.recovered ?? next - 1 }
  if (known.recovered === undefined) keepSpoolId(folder, spoolId, report)
  const counter = eventCounter(repetitions)
  if (newest && scan && !isDamaged) {
    for (const json of scan.events) counter.add(json)
    newest.count = counter.count
    return { spoolId, segments, fd: openSync(newest.path, 'r+'), counter, next }
  }
  const made = createSegment(folder, (numbers.at(-1) ?? 0) + 1, next)
  made.segment.count = counter.count
  return { spoolId, segments: [...segments, made.segment], fd: made.fd, counter, next }
}
